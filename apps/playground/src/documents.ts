// The documents of the form. The core checks their content.

import { text } from './fields.js'
import { expectations } from './pocket.js'
import { transactions } from './transactions.js'
import { coinOf, fromUnits, quantityOfGwei } from './units.js'

/** The request, as JSON. */
export function request(): string {
  const feePayerAddress = text('feePayerAddress')
  return JSON.stringify({
    type: text('type'),
    jobId: text('jobId'),
    gasDetails: {
      maxFeePerGas: quantityOfGwei(text('gasDetails.maxFeePerGas')),
      maxPriorityFeePerGas: quantityOfGwei(text('gasDetails.maxPriorityFeePerGas')),
    },
    paymasterData: text('paymasterData'),
    ...(feePayerAddress && { feePayerAddress }),
    details: { caip2Id: text('details.caip2Id'), ...details() },
  })
}

function details() {
  if (text('type') === 'RAW_TRANSACTION') return { transactions: transactions() }
  const transfer = { recipientWalletAddress: text('details.recipientWalletAddress'), amount: amount() }
  if (text('type') === 'TOKEN_TRANSFER') return { ...transfer, tokenAddress: text('details.tokenAddress') }
  const collectionAddress = text('details.collectionAddress')
  return { ...transfer, collectionAddress, nftId: text('details.nftId'), nftType: text('details.nftType') }
}

/** The coin of the amount; `undefined` if the amount is a number of NFTs or of the smallest unit. */
export function coinOfAmount() {
  const isNative = text('type') === 'TOKEN_TRANSFER' && text('details.tokenAddress') === ''
  return isNative ? coinOf(text('details.caip2Id')) : undefined
}

function amount() {
  const written = text('details.amount')
  return fromUnits(written, coinOfAmount()?.decimals ?? 0)?.toString() ?? written
}

/** The deployment that a wallet pins, as JSON. */
export function deployment(): string {
  const chainId = text('where.chainId')
  const signs = text('where.signs')
  return JSON.stringify({
    entryPoint: text('where.entryPoint'),
    chainId: /^\d+$/.test(chainId) ? Number(chainId) : chainId,
    version: text('where.version'),
    gasFeeOrder: text('where.gasFeeOrder'),
    jobManager: text('where.jobManager'),
    paymaster: text('where.paymaster'),
    clientSWA: text('where.clientSWA'),
    ...(signs && { signs }),
    expect: expectations(),
  })
}
