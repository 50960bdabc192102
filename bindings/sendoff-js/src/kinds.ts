// Made by `cargo xtask codegen` from the core; a change here is lost.

/** The type of each text, by the words for it in messages. */
export const KINDS = {
  "a UUID (8-4-4-4-12 hex digits with hyphens)": 'JobId',
  "a hex quantity of at most 128 bits (`0x`, no leading zero)": 'Quantity128',
  "hex bytes (`0x` and an even number of hex digits)": 'HexBytes',
  "a CAIP-2 chain id, such as `eip155:1` (its reference a decimal above zero)": 'ChainId',
  "an NFT's id (a UUID, a decimal without leading zeros, or `0x` and 1 to 64 hex digits; below 2^256)": 'NftId',
  "an address (`0x` and 40 hex digits, in one letter case or with its ERC-55 checksum)": 'Address',
  "a decimal integer from 1 to 2^256-1 without leading zeros": 'Amount',
  "a token standard (1 to 32 letters, digits, `-` or `_`; `ERC721` and `ERC1155` in capitals)": 'NftType',
  "a token's address, or empty text for the native token": 'TokenAddress',
  "a hex quantity of at most 256 bits (`0x`, no leading zero)": 'Quantity',
  "a decimal integer from 0 to 2^256-1 without leading zeros": 'FeeAmount',
  "a fee payer's address, or empty text for none": 'FeePayerAddress',
  "a hex quantity of at most 256 bits, or 32 bytes of hex": 'Nonce',
  "32 bytes of hex (`0x` and 64 hex digits)": 'Word',
  "a signature, at least one byte of hex": 'SignatureBytes',
  "24 digits in six groups of four, for people who compare two screens": 'ComparisonCode',
  "65 bytes of hex (`0x` and 130 hex digits)": 'Signature',
  "a name of 1 to 32 letters, digits, `-` or `_`": 'Environment',
  "a scope, text that is not empty": 'Scope',
  "a path parameter (text that is not empty, not `.` or `..`, and without slash, backslash and NUL)": 'PathParam',
  "a trace id of 1 to 128 characters": 'TraceId',
} as const
