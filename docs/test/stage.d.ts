/** The holder of the key, in the shape of an account in viem. */
declare const wallet: { signMessage(input: { message: { raw: `0x${string}` } }): Promise<`0x${string}`> }
