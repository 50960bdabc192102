// Made by `cargo xtask codegen` from the core; a change here is lost.

/** The operations of the service, in the order of its specification. */
export const OPERATIONS = [
  {"id":"estimate","method":"POST","path":"/api/oc/v1/estimate","side":"client","version":"oc/v1","limited":false,"parameters":[]},
  {"id":"transferTokens","method":"POST","path":"/api/v1/transfer/tokens/execute","side":"client","version":"v1","limited":true,"parameters":[]},
  {"id":"portfolio","method":"GET","path":"/api/v1/portfolio","side":"client","version":"v1","limited":false,"parameters":[]},
  {"id":"orders","method":"GET","path":"/api/v1/orders","side":"client","version":"v1","limited":false,"parameters":[]},
  {"id":"supportedNetworks","method":"GET","path":"/api/v1/supported/networks","side":"client","version":"v1","limited":false,"parameters":[]},
  {"id":"supportedTokens","method":"GET","path":"/api/v1/supported/tokens","side":"client","version":"v1","limited":false,"parameters":[]},
  {"id":"transferNft","method":"POST","path":"/api/v1/nft/transfer","side":"client","version":"v1","limited":true,"parameters":[]},
  {"id":"readContractData","method":"POST","path":"/api/v1/readContractData","side":"client","version":"v1","limited":true,"parameters":[]},
  {"id":"executeRawTransaction","method":"POST","path":"/api/v1/rawtransaction/execute","side":"client","version":"v1","limited":true,"parameters":[]},
  {"id":"serverCreateWallet","method":"POST","path":"/s2s/api/v1/wallet","side":"server","version":"v1","limited":true,"parameters":[]},
  {"id":"serverCreateWallets","method":"POST","path":"/s2s/api/v1/bulk-wallets","side":"server","version":"v1","limited":true,"parameters":[]},
  {"id":"serverMintNft","method":"POST","path":"/s2s/api/v2/nft/mint","side":"server","version":"v2","limited":true,"parameters":[]},
  {"id":"serverTransferNft","method":"POST","path":"/s2s/api/v2/nft/transfer","side":"server","version":"v2","limited":true,"parameters":[]},
  {"id":"serverTransferTokens","method":"POST","path":"/s2s/api/v2/transfer/tokens/execute/{userId}","side":"server","version":"v2","limited":true,"parameters":["userId"]},
  {"id":"serverReadContractData","method":"POST","path":"/s2s/api/v1/readContractData","side":"server","version":"v1","limited":true,"parameters":[]},
  {"id":"serverExecuteRawTransaction","method":"POST","path":"/s2s/api/v1/rawtransaction/execute/{TW_USER_ID}","side":"server","version":"v1","limited":true,"parameters":["TW_USER_ID"]},
] as const;
