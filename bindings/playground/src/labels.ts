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
  entryPoint: 'EntryPoint',
  request: 'Request',
  reply: 'Reply',
}

/** The label of a field, by its path; of a field without one, its name. */
export function label(path: string): string {
  const names = path.split('.')
  const name = names.findLast((name) => name in LABELS)
  return name === undefined ? (names.at(-1) || 'Reply') : LABELS[name]!
}
