// Inputs on which libraries differ, by the kind of text that is expected.

const CHECKSUMMED = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
const UUID = '7d9f6b1e-3c2a-4f5b-8a1d-2e6f7c0a8e44'

export const inputs = {
  quantity: [
    '0x1a', '0x1A', '0x0', '0x', '', '0x00', '0x01', '0x001a', '0X1a', '1a', '26', '1e2', '0o17', '0b11', ' 0x1a', '0x1a\n', '0x1_0', '-0x1',
    '-1', `0x1${'0'.repeat(64)}`, `0x1${'0'.repeat(300)}`,
  ],
  hexBytes: ['0x', '', '0x1a', '0x1a4', '0X1a', '1a', '26', '0x1_0', '0xzz', ' 0x1a'],
  address: [
    CHECKSUMMED, CHECKSUMMED.toLowerCase(), `0x${CHECKSUMMED.slice(2).toUpperCase()}`, `${CHECKSUMMED.slice(0, -1)}D`,
    CHECKSUMMED.toUpperCase(), CHECKSUMMED.slice(2), CHECKSUMMED.slice(2).toLowerCase(), CHECKSUMMED.slice(0, -1), `0x${'0'.repeat(40)}`,
    `${CHECKSUMMED}\n`,
  ],
  amount: [
    '1', '0', '', '01', '+1', '-1', '-0', '1.5', '1.', '.5', '1e18', '0x10', ' 1', '1\n', '1_000', '1,000', '0.1234567890123456789',
    String(2n ** 256n - 1n), String(2n ** 256n), '9'.repeat(300),
  ],
  jobId: [
    UUID, UUID.toUpperCase(), UUID.replaceAll('-', ''), `{${UUID}}`, `urn:uuid:${UUID}`, UUID.replace('-4f', '-0f'), UUID.replace('-8a', '-1a'),
    '00000000-0000-0000-0000-000000000000', `${UUID}\n`,
  ],
}

/** An input in a table. */
export function shown(input) {
  if (input.length <= 44) return `\`${JSON.stringify(input)}\``
  return `\`"${input.slice(0, 10)}…"\`, ${input.length} characters`
}
