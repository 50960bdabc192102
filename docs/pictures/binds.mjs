// What binds which field: each field of the demo's reply is changed, and the first check that refuses the change binds it.

import { decodeCall, encodeCall, safeSignable, verifyEstimate } from 'sendoff'
import { deployment, expect, reply, request } from './demo.mjs'
import { line, picture, rect, text } from './svg.mjs'

const STRANGER = `0x${'bad0'.repeat(10)}`
const BINDERS = ['request', 'deployment', 'expectation', 'nothing']
const [LEFT, COLUMN, ROW, TOP] = [290, 112, 30, 46]

/** The rows: each change keeps the reply consistent with itself, so that only a check against other data can refuse it. */
const ROWS = [
  ['callData: recipient, amount, token', called(({ intent }) => (intent.details.recipientWalletAddress = STRANGER))],
  ['callData: job', called((call) => (call.jobId = call.jobId.replace(/.$/, '0')))],
  ['callData: fee payer', both('feePayerAddress', STRANGER)],
  ['callData: job manager', called((call) => (call.jobManager = STRANGER))],
  ['callData: application', both('clientSWA', STRANGER)],
  ['callData: user, and sender', ({ data }) => [both('userSWA', STRANGER)({ data }), (data.userOps.sender = STRANGER)]],
  ['callData: policies', both('policies', { gsnEnabled: true, sponsorshipEnabled: false })],
  ['callData: gas station network', gasStation],
  ['nonce', field('nonce', `0x${'1'.padStart(64, '0')}`)],
  ['maxFeePerGas', field('maxFeePerGas', '0xffffffffff')],
  ['maxPriorityFeePerGas', field('maxPriorityFeePerGas', '0x1')],
  ['paymaster', field('paymaster', STRANGER)],
  ['paymasterData', field('paymasterData', '0x')],
  ...Object.keys(expect.gas).map((name) => [name, field(name, '0xffffff')]),
  ['fees that the reply shows', ({ data }) => (data.details.fees.transactionFees = { 'eip155:80002': '1' })],
]

/** What binds each row: `[row, binder]`. */
export function bindings() {
  return ROWS.map(([name, change]) => {
    const changed = structuredClone(reply)
    change(changed)
    if (!verifyEstimate(request, changed).ok) return [name, 'request']
    if (!safeSignable(request, changed, deployment).ok) return [name, 'deployment']
    if (!safeSignable(request, changed, { ...deployment, expect }).ok) return [name, 'expectation']
    return [name, 'nothing']
  })
}

export function binds() {
  const rows = bindings()
  const x = (binder) => LEFT + BINDERS.indexOf(binder) * COLUMN + COLUMN / 2
  const heads = BINDERS.map((binder) => text(x(binder), 28, binder, { weight: 700, anchor: 'middle' }))
  const cells = rows.map(([name, binder], at) => {
    const y = TOP + at * ROW
    const [fill, stroke] = binder === 'nothing' ? ['alarm-tint', 'alarm'] : ['tint', 'accent']
    return [
      line(0, y, LEFT + BINDERS.length * COLUMN, y),
      text(8, y + 20, name, { size: 13, code: true }),
      rect(x(binder) - 36, y + 6, 72, ROW - 12, { fill, stroke, radius: 9 }),
      text(x(binder), y + 20, binder === 'nothing' ? 'open' : 'bound', { size: 12, anchor: 'middle', weight: 700, fill: stroke }),
    ]
  })
  const listed = BINDERS.map((binder) => `by ${binder}: ${rows.filter(([, by]) => by === binder).map(([name]) => name).join(', ')}`)
  const about = `What binds which field. ${listed.join('. ')}.`
  return picture(LEFT + BINDERS.length * COLUMN, TOP + rows.length * ROW + 4, about, [heads, cells])
}

function field(name, value) {
  return ({ data }) => (data.userOps[name] = value)
}

/** A change of the call data alone. */
function called(change) {
  return ({ data }) => {
    const call = structuredClone(decodeCall(data.userOps.callData))
    change(call)
    data.userOps.callData = encodeCall(call)
  }
}

/** The same change in the call data and in its copy in the reply. */
function both(name, value) {
  return (changed) => {
    called((call) => (call[name] = value))(changed)
    changed.data.callData[name] = value
  }
}

function gasStation(changed) {
  const gsn = { isRequired: true, requiredNetworks: ['eip155:1'] }
  called((call) => (call.gsn = gsn))(changed)
  Object.assign(changed.data.callData.gsn, gsn)
}
