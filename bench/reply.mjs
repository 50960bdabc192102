// The success reply as a backend without Sendoff makes it. Both other libraries use it.
const empty = (names) => Object.fromEntries(names.map((name) => [name, '']))
const inInputToken = ['gasFees', 'integratorFees', 'platformBaseFees', 'totalFees'].map((name) => `${name}InInputToken`)
const estimation = [
  'amount', 'crossChainFee', 'crossChainFeeCollector', 'outputAmount', 'recommendedSlippage', 'routeId', 'routeValidUntil',
  'sameChainFee', 'sameChainFeeCollector', 'slippageUsed', ...inInputToken,
]

export const nonceOf = (jobId) => `0x${'0'.repeat(32)}${jobId.replaceAll('-', '').toLowerCase()}`

export const reply = (request, facts, nonce, callData) => ({
  status: 'success',
  data: {
    callData: {
      clientSWA: facts.clientSWA,
      feePayerAddress: '',
      gsn: { isPossible: false, isRequired: false, requiredNetworks: [], tokens: [] },
      intentType: request.type,
      jobId: request.jobId,
      payload: request.details,
      policies: facts.policies,
      userSWA: facts.userSWA,
    },
    details: {
      estimation: empty(estimation),
      fees: facts.fees ?? { approxTransactionFeesInUSDT: '', transactionFees: {} },
      swapFees: empty(inInputToken),
    },
    userOps: {
      callData,
      ...facts.gasLimits,
      ...request.gasDetails,
      nonce,
      paymaster: facts.paymaster.toLowerCase(),
      paymasterData: request.paymasterData,
      sender: facts.userSWA.toLowerCase(),
    },
  },
})

// The operation in the form of the hash functions of both libraries.
const numbers = [
  'nonce', 'callGasLimit', 'verificationGasLimit', 'preVerificationGas', 'maxFeePerGas', 'maxPriorityFeePerGas',
  'paymasterVerificationGasLimit', 'paymasterPostOpGasLimit',
]
export const typed = (op) => ({ ...op, ...Object.fromEntries(numbers.map((name) => [name, BigInt(op[name])])), signature: '0x' })
