// A day of windows: every call with `peek` and `admit`, and the schedule of `plan` for the same calls.

import { admit, peek, plan } from 'sendoff'
import { line, picture, rect, text } from './svg.mjs'

const HOUR = 3_600_000
const MIDNIGHT = Date.UTC(2026, 10, 21)
const policy = { limit: 100, windowMs: HOUR }
/** The calls of each hour, and the minute of the first call: few in the morning and evening, and a peak at noon. */
const FIRST = 6 * HOUR + 40 * 60_000
const CALLS = [0, 0, 0, 0, 0, 0, 20, 60, 90, 110, 140, 190, 210, 150, 100, 120, 95, 70, 40, 20, 10, 0, 0, 0]
const [WIDTH, LEFT, TOP, HEIGHT] = [760, 52, 40, 190]
const [RIGHT, FLOOR] = [WIDTH - 24, TOP + HEIGHT]
const x = (time) => LEFT + ((time - MIDNIGHT) / (24 * HOUR)) * (RIGHT - LEFT)
const y = (count) => FLOOR - (count / 220) * HEIGHT

/** The windows of the day: when each started, how many calls it admitted and how many were refused. */
function windows() {
  const found = new Map()
  let window = null
  for (const [hour, count] of CALLS.entries()) {
    const start = Math.max(hour * HOUR, FIRST)
    for (let call = 0; call < count; call += 1) {
      const now = Math.floor(MIDNIGHT + start + (call / count) * ((hour + 1) * HOUR - start))
      const seen = peek(policy, window, now)
      const { verdict, window: after } = admit(policy, window, now)
      if (seen.admitted !== verdict.admitted) throw new Error('peek and admit disagree')
      window = after
      const tally = found.get(window.start) ?? { start: window.start, admitted: 0, refused: 0 }
      tally[verdict.admitted ? 'admitted' : 'refused'] += 1
      found.set(window.start, tally)
    }
  }
  return [...found.values()]
}

export function day() {
  const [found, total] = [windows(), CALLS.reduce((sum, count) => sum + count)]
  const refused = found.reduce((sum, window) => sum + window.refused, 0)
  const planned = plan(policy, null, MIDNIGHT + FIRST, total)
  const bars = found.map(({ start, admitted, refused }) => {
    const [left, width] = [x(start) + 1, x(start + HOUR) - x(start) - 2]
    const bar = rect(left, y(admitted), width, FLOOR - y(admitted), { fill: 'accent' })
    if (!refused) return bar
    return [bar, rect(left, y(admitted + refused), width, y(admitted) - y(admitted + refused), { fill: 'alarm' })]
  })
  const hours = [0, 6, 12, 18, 24].map((hour) => {
    const at = x(MIDNIGHT + hour * HOUR)
    return [line(at, FLOOR, at, FLOOR + 6), text(at, FLOOR + 22, `${String(hour).padStart(2, '0')}:00`, { size: 12, fill: 'quiet', anchor: 'middle' })]
  })
  const first = x(found[0].start)
  const key = [
    rect(LEFT, 8, 12, 12, { fill: 'accent' }), text(LEFT + 18, 19, 'admitted', { size: 13 }),
    rect(LEFT + 104, 8, 12, 12, { fill: 'alarm' }), text(LEFT + 122, 19, 'refused', { size: 13 }),
    line(LEFT + 200, 14, LEFT + 224, 14, { stroke: 'ink', width: 2, dash: '5 4' }), text(LEFT + 232, 19, `limit: ${policy.limit} in an hour`, { size: 13 }),
  ]
  const below = FLOOR + 58
  const plans = planned.map(({ at, count }) => {
    const [left, width] = [x(at) + 1, x(at + HOUR) - x(at) - 2]
    const height = (count / policy.limit) * 34
    return rect(left, below + 34 - height, width, height, { fill: 'tint', stroke: 'accent' })
  })
  const about = `A day with a limit of ${policy.limit} calls an hour. The first call at 06:40 starts the first window, and windows follow back to back. Of ${total} calls ${refused} are refused, in the windows that are full. Planned, the same ${total} calls take ${planned.length} windows and none is refused.`
  return picture(WIDTH, below + 62, about, [
    key, bars, hours,
    line(LEFT, FLOOR, RIGHT, FLOOR, { stroke: 'quiet' }),
    line(LEFT, y(policy.limit), RIGHT, y(policy.limit), { stroke: 'ink', width: 2, dash: '5 4' }),
    [0, 100, 200].map((count) => text(LEFT - 8, y(count) + 4, count, { size: 12, fill: 'quiet', anchor: 'end' })),
    line(first, FLOOR, first, TOP + 60, { stroke: 'quiet', dash: '2 3' }),
    text(first - 6, TOP + 72, 'first call: 06:40', { size: 12, fill: 'quiet', anchor: 'end' }),
    plans,
    text(LEFT - 8, below + 30, 'plan', { size: 13, weight: 700, anchor: 'end' }),
    text(LEFT, below + 54, `the same ${total} calls as plan spreads them: ${planned.length} windows, none refused, where ${refused} were`, { size: 13, fill: 'quiet' }),
  ])
}
