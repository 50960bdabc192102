// An estimate to try, for examples and tests.

import { deployments } from '../deployments/public.js'
import type { Deployment, Expectations, Facts, NftTransferRequest } from '../types.js'

/** A request, the facts of a service, and a deployment whose expectations bind every field that is signed. */
export interface Demo {
  readonly request: NftTransferRequest
  readonly facts: Facts
  readonly deployment: Deployment & { readonly expect: Expectations }
}

const clientSWA = '0x07c50e23dbD7F3A0147f44DC83739A8DcD8d252F'
const userSWA = '0xb3950bBE24596c9e1097dC110701410257038293'
const policies = { gsnEnabled: false, sponsorshipEnabled: false }
const { jobManager, paymaster } = deployments.sandbox

/** The estimate of `tests/demo` in the repository. */
export const demo: Demo = {
  request: {
    type: 'NFT_TRANSFER',
    jobId: '3f1c9a52-7d84-4b0e-9a6c-52e1d07b8f43',
    gasDetails: { maxFeePerGas: '0x9502f900', maxPriorityFeePerGas: '0x59682f00' },
    paymasterData:
      '0x00000000000000000000000007c50e23dbd7f3a0147f44dc83739a8dcd8d252f0000000000000000000000000000000000000000000000000000000070dbd8800000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000008000000000000000000000000000000000000000000000000000000000000000419a12827b92b05f3c10c6e200a540519adfdfe17e3a4d7e31dbfa04eeeeb1a87f5b201d70839a2d0266a0bb7e7200131505ae57e99671ac2ef45e690ba23aa4231c00000000000000000000000000000000000000000000000000000000000000',
    details: {
      caip2Id: 'eip155:80002',
      nftId: 'b0f6a7c4-19d3-4e52-8c0b-6f2d9e7a4c18',
      recipientWalletAddress: '0xEc186DB52Cb079380E9Ed11740859d5a45e1B831',
      collectionAddress: '0xF19f9C5E34B713Ea8c8b9283324F62C6D0813F90',
      amount: '1',
      nftType: 'ERC721',
    },
  },
  facts: {
    clientSWA,
    userSWA,
    policies,
    jobManager,
    paymaster,
    gasLimits: {
      callGasLimit: '0x927c0',
      verificationGasLimit: '0x61a80',
      preVerificationGas: '0x186a0',
      paymasterVerificationGasLimit: '0x30d40',
      paymasterPostOpGasLimit: '0x30d40',
    },
    fees: { approxTransactionFeesInUSDT: '', transactionFees: { 'eip155:80002': '177258950000' } },
  },
  deployment: {
    ...deployments.sandbox,
    clientSWA,
    expect: {
      userSWA,
      policies,
      gsn: { isRequired: false, requiredNetworks: [] },
      gas: {
        callGasLimit: { least: '0x75300', most: '0xafc80' },
        verificationGasLimit: { least: '0x4e200', most: '0x75300' },
        preVerificationGas: { most: '0x1d4c0' },
        paymasterVerificationGasLimit: { least: '0x27100', most: '0x3a980' },
        paymasterPostOpGasLimit: { least: '0x27100', most: '0x3a980' },
      },
    },
  },
}
