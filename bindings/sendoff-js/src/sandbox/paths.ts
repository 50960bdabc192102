/** The paths of the service: those of src/operations.ts, and those of the companions in crates/sendoff-sandbox/src/service/route.rs. */
export const PATHS = /* @__PURE__ */ new RegExp(
  '^/(rpc|api/(v2/authenticate|oc/v1/(aggregated-portfolio|authenticate|estimate|execute|gas-values|orders|portfolio/(activity|nft)|readContractData|supported/(networks|tokens)' +
    '|user-keys|verify-session|wallets)' +
    '|v1/(jwt-authenticate|nft/(order_details|transfer)|orders|portfolio(/activity)?|rawtransaction/(execute|status)|readContractData' +
    '|refresh_token|supported/(networks|tokens)|transfer/tokens/execute|user_from_token|(widget/)?wallet))' +
    '|s2s/api/(v1/(bulk-wallets|portfolio|rawtransaction/(execute|status)/[^/]+|readContractData|supported/tokens|wallet)' +
    '|v2/((bulk_order_details|transfer/tokens/execute)/[^/]+|nft/(mint|transfer))))$',
)
