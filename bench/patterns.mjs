// The patterns of texts in requests, for both other libraries.
export const quantity = /^0x(0|[1-9a-fA-F][0-9a-fA-F]{0,31})$/
export const chain = /^eip155:[1-9][0-9]{0,31}$/
export const nft = /^([0-9a-fA-F-]{36}|0|[1-9][0-9]{0,77}|0x[0-9a-fA-F]{1,64})$/
export const amount = /^[1-9][0-9]{0,77}$/

export const sound = ({ details, gasDetails }) =>
  (details.nftType !== 'ERC721' || details.amount === '1') &&
  BigInt(gasDetails.maxPriorityFeePerGas) <= BigInt(gasDetails.maxFeePerGas)

// The ABI of a job.
export const initiateJob = 'function initiateJob(uint256, address, address, address, bytes, bytes, bytes, string)'
const job =
  '(string caip2Id, string nftId, string recipientWalletAddress, string collectionAddress, string nftType, uint256 amount)'
const tuples = {
  policies: '(bool gsnEnabled, bool sponsorshipEnabled)',
  gsn: `(bool isRequired, string[] requiredNetworks, ${job}[] tokens)`,
  job,
  outer: 'bytes4, address, uint256, bytes',
  words: 'uint256, address, address, address, bytes, bytes, bytes, string',
}
/** They as a library has parsed them. */
export const typesBy = (parse) => Object.fromEntries(Object.entries(tuples).map(([name, tuple]) => [name, parse(tuple)]))
export const executeUserOp = '0x8dd7712f'
export const nobody = '0x0000000000000000000000000000000000000000'
export const noGsn = { isRequired: false, requiredNetworks: [], tokens: [] }
