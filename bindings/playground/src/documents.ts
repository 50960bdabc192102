// The documents that the form holds. What stands in them is for the core to judge.

import { text } from './fields.js'
import { transactions } from './transactions.js'

/** The request, as JSON. */
export function request(): string {
  const feePayerAddress = text('feePayerAddress')
  return JSON.stringify({
    type: text('type'),
    jobId: text('jobId'),
    gasDetails: {
      maxFeePerGas: text('gasDetails.maxFeePerGas'),
      maxPriorityFeePerGas: text('gasDetails.maxPriorityFeePerGas'),
    },
    paymasterData: text('paymasterData'),
    ...(feePayerAddress && { feePayerAddress }),
    details: { caip2Id: text('details.caip2Id'), ...details() },
  })
}

function details() {
  if (text('type') === 'RAW_TRANSACTION') return { transactions: transactions() }
  const transfer = { recipientWalletAddress: text('details.recipientWalletAddress'), amount: text('details.amount') }
  if (text('type') === 'TOKEN_TRANSFER') return { ...transfer, tokenAddress: text('details.tokenAddress') }
  const collectionAddress = text('details.collectionAddress')
  return { ...transfer, collectionAddress, nftId: text('details.nftId'), nftType: text('details.nftType') }
}

/** The deployment that a wallet pins, as JSON. */
export function deployment(): string {
  const chainId = text('where.chainId')
  return JSON.stringify({
    entryPoint: text('where.entryPoint'),
    chainId: /^\d+$/.test(chainId) ? Number(chainId) : chainId,
    version: text('where.version'),
    gasFeeOrder: text('where.gasFeeOrder'),
    jobManager: text('where.jobManager'),
    paymaster: text('where.paymaster'),
    clientSWA: text('where.clientSWA'),
  })
}
