// The life of an estimate: who does what, with the values of the demo.

import { assemble, comparisonCode, readReceipt, signable } from 'sendoff'
import { deployment, reply, request, short } from './demo.mjs'
import { arrow, line, picture, rect, text } from './svg.mjs'

const [WIDTH, TOP, STEP] = [760, 84, 64]
const LANES = { page: 110, service: 310, wallet: 500, bundler: 670 }

export function life() {
  const { hash, operation, account } = signable(request, reply, deployment)
  const signature = `0x${'1b'.repeat(65)}`
  const fields = Object.keys(assemble(operation, signature)).length
  const receipt = { userOpHash: hash, success: true, actualGasCost: '0x2386f26fc10000', actualGasUsed: '0x5208' }
  const { outcome } = readReceipt(hash, receipt)
  const [move] = account.call.moves
  const steps = [
    ['page', 'service', 'request', `1 NFT to ${short(move.to)}`],
    ['service', 'page', 'estimate → reply', `call data of ${(operation.callData.length - 2) / 2} bytes`],
    ['page', 'page', 'signable', `compares both: hash ${short(hash)}, or every difference`],
    ['page', 'page', 'comparisonCode', `${comparisonCode(hash)}, for a second device`],
    ['page', 'wallet', 'hash and sentences', short(hash)],
    ['wallet', 'page', 'signature', '65 bytes'],
    ['page', 'bundler', 'assemble → operation', `${fields} fields, exactly what was hashed`],
    ['bundler', 'page', 'receipt → readReceipt', outcome],
  ]
  const bottom = TOP + steps.length * STEP
  const lanes = Object.entries(LANES).map(([name, x]) => [
    line(x, 48, x, bottom, { dash: '3 4' }),
    rect(x - 55, 12, 110, 36, { stroke: 'line', radius: 8 }),
    text(x, 35, { page: 'your page', service: 'service', wallet: 'wallet', bundler: 'bundler' }[name], { weight: 700, anchor: 'middle' }),
  ])
  const drawn = steps.map(([from, to, what, detail], at) => {
    const y = TOP + at * STEP + 24
    const [start, end] = [LANES[from], LANES[to]]
    if (from === to) {
      return [
        rect(start - 100, y - 24, 420, 46, { fill: 'tint', stroke: 'accent', radius: 8 }),
        text(start - 88, y - 5, what, { fill: 'accent', weight: 700, code: true }),
        text(start - 88, y + 14, detail, { size: 13 }),
      ]
    }
    const x = Math.min(start, end) + 14
    return [arrow(start, y, end), text(x, y - 8, what, { weight: 700, size: 13 }), text(x, y + 17, detail, { fill: 'quiet', size: 13 })]
  })
  const about = `Your page sends a request to the service, and gets a reply. signable compares the two, and gives a hash only if they agree. The wallet signs it, assemble makes the operation for the bundler, and readReceipt reads the receipt.`
  return picture(WIDTH, bottom + 8, about, [lanes, drawn])
}
