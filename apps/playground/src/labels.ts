// What people call the fields of documents.

const LABELS: { readonly [name: string]: string } = {
  recipientWalletAddress: 'Recipient',
  nftId: 'NFT',
  nftType: 'Standard',
  collectionAddress: 'Collection',
  tokenAddress: 'Token',
  caip2Id: 'Chain',
  jobId: 'Job',
  jobManager: 'Contract that is called',
  userSWA: 'Wallet',
  clientSWA: 'Application',
  feePayerAddress: 'Fee payer',
  maxFeePerGas: 'Fee cap',
  maxPriorityFeePerGas: 'Tip',
  paymasterData: 'Paymaster data',
  intentType: 'Intent',
  payload: 'Details',
  callData: 'Call data',
  transactionFees: 'Fees',
  callGasLimit: 'Gas for the call',
  verificationGasLimit: 'Gas for the verification',
  preVerificationGas: 'Gas for the bundler',
  paymasterVerificationGasLimit: 'Gas for the paymaster',
  paymasterPostOpGasLimit: 'Gas for the paymaster, after the call',
  gsn: 'Gas station',
  entryPoint: 'EntryPoint',
  signs: 'What a key signs',
}

/** The label of a field by its path, with the number of its transaction: `Transaction 2, data`. */
export function place(path: string): string {
  const names = path.split('.')
  const name = names.findLast((name) => name in LABELS) ?? names.at(-1)
  const label = name ? (LABELS[name] ?? name[0]!.toUpperCase() + name.slice(1)) : 'Reply'
  const [, at] = /(?:^|\.)transactions\.(\d+)\./.exec(path) ?? []
  return at === undefined ? label : `Transaction ${Number(at) + 1}, ${label.toLowerCase()}`
}
