// What people call the fields of documents.

const LABELS: { readonly [name: string]: string } = {
  recipientWalletAddress: 'Recipient',
  amount: 'Amount',
  nftId: 'NFT',
  nftType: 'Standard',
  collectionAddress: 'Collection',
  tokenAddress: 'Token',
  caip2Id: 'Chain',
  from: 'From',
  to: 'To',
  value: 'Value',
  data: 'Data',
  jobId: 'Job',
  jobManager: 'Contract that is called',
  nonce: 'Nonce',
  sender: 'Sender',
  userSWA: 'Wallet',
  clientSWA: 'Application',
  feePayerAddress: 'Fee payer',
  maxFeePerGas: 'Fee cap',
  maxPriorityFeePerGas: 'Tip',
  paymaster: 'Paymaster',
  paymasterData: 'Paymaster data',
  intentType: 'Intent',
  type: 'Intent',
  payload: 'Details',
  status: 'Status',
  callData: 'Call data',
  transactionFees: 'Fees',
  callGasLimit: 'Gas for the call',
  verificationGasLimit: 'Gas for the verification',
  preVerificationGas: 'Gas for the bundler',
  paymasterVerificationGasLimit: 'Gas for the paymaster',
  paymasterPostOpGasLimit: 'Gas for the paymaster, after the call',
  policies: 'Policies',
  gsn: 'Gas station',
  entryPoint: 'EntryPoint',
  request: 'Request',
  reply: 'Reply',
  signs: 'What a key signs',
}

/** The label of a field, by its path; of a field without one, its name. */
export function label(path: string): string {
  const names = path.split('.')
  const name = names.findLast((name) => name in LABELS)
  return name === undefined ? (names.at(-1) || 'Reply') : LABELS[name]!
}

/** The label of a field, and the number of its transaction: `Transaction 2, data`. */
export function place(path: string): string {
  const [, at] = /(?:^|\.)transactions\.(\d+)\./.exec(path) ?? []
  return at === undefined ? label(path) : `Transaction ${Number(at) + 1}, ${label(path).toLowerCase()}`
}
