// The entry `sendoff/deployments`: public deployments, as data. The core does not contain them.

import type { Deployment } from './index.js'

/** The public fields of a deployment. The service's dashboard shows the missing field, your application's `clientSWA`. */
export type PublicDeployment = Omit<Deployment, 'clientSWA'>

const OF_ALL = { version: '0.7', gasFeeOrder: 'maxFirst' } as const

/**
 * Public deployments of the service, by the name of the environment.
 *
 * Source: the constants of the service's public SDK, `@okto_web3/core-js-sdk` 1.1.0 on npm (the same in 1.2.0 of its
 * repository, 2025-07-18). They have changed several times: compare them with the SDK that you use. The SDK hashes by
 * EntryPoint 0.7 and packs the fee cap first. The order on the chain itself is unknown, because all public samples have equal
 * fees.
 *
 * @example
 * ```ts
 * import { deployments } from 'sendoff/deployments'
 *
 * const deployment = { ...deployments.sandbox, clientSWA }
 * ```
 */
export const deployments: { readonly [Name in 'staging' | 'sandbox' | 'production']: PublicDeployment } = {
  staging: {
    entryPoint: '0x322eF240AD89d19a50Ca092CF70De9603bf6778E',
    chainId: 124736089,
    ...OF_ALL,
    jobManager: '0x57820589F31a9e4a34A0299Ea4aDe7c536139682',
    paymaster: '0xc2D31Cdc6EFd02F85Ab943c4587f8D60E6E15F9c',
  },
  sandbox: {
    entryPoint: '0xCa5b1b0d3893b5152014fD5B519FF50f7C40f9da',
    chainId: 1802466136,
    ...OF_ALL,
    jobManager: '0x0543aD80b41C5f5956d34503668CDb965deCB617',
    paymaster: '0x74324fA6Fa67b833dfdea4C1b3A9898574d076e3',
  },
  production: {
    entryPoint: '0x0b643Bcd21a72b10075F1938Ebebba6E077A1742',
    chainId: 8088,
    ...OF_ALL,
    jobManager: '0x7F1E1e98Dde775Fae0d340D3E5D28004Db58A0d3',
    paymaster: '0xB0E2BD2EFb99F982F8cCB8e6737A572B3B0eCE11',
  },
}
