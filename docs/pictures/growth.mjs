// How times grow, of the figures that `cargo xtask codegen bench` leaves beside this file.

import { readFileSync } from 'node:fs'
import { line, picture, rect, text } from './svg.mjs'

const { documents, callers, on, date } = JSON.parse(readFileSync(new URL('growth.json', import.meta.url), 'utf8'))
const [WIDTH, HEIGHT, LEFT, TOP, BOTTOM] = [760, 380, 64, 56, 64]

/** The time of an estimate and of a verification, by the length of the document. */
export function documentGrowth() {
  const estimate = documents.map(({ bytes, estimate }) => [bytes, estimate])
  const verify = documents.filter(({ verify }) => verify).map(({ bytes, verify }) => [bytes, verify])
  const size = (bytes) => (bytes > 1_000_000 ? '1 MiB' : `${Math.round(bytes / 1024)} KiB`)
  const series = { 'verification of its reply': verify, estimate }
  return plot('Microseconds by the size of the request', series, size, 'µs', 'one raw transaction with more and more data')
}

/** The time of an admission, by the number of callers. */
export function callerGrowth() {
  const of = (side) => callers.map((figures) => [figures.callers, figures[side]])
  const series = { 'RateLimiter::admit': of('sendoff'), 'a HashMap<String, u64> that adds one': of('map') }
  return plot('Nanoseconds of an admission by the number of callers', series, (count) => count.toLocaleString('en'), 'ns', 'callers at random')
}

/** Lines on two logarithmic scales: a straight line at 45 degrees is growth in proportion. */
function plot(title, series, label, unit, note) {
  const points = Object.values(series).flat()
  const [least, most] = [Math.min, Math.max].map((pick) => [0, 1].map((axis) => Math.log10(pick(...points.map((point) => point[axis])))))
  const [low, high] = [Math.floor(least[1]), Math.ceil(most[1])]
  const x = (value) => LEFT + ((Math.log10(value) - least[0]) / (most[0] - least[0])) * (WIDTH - LEFT - 40)
  const y = (value) => HEIGHT - BOTTOM - ((Math.log10(value) - low) / (high - low)) * (HEIGHT - TOP - BOTTOM)
  const powers = Array.from({ length: high - low + 1 }, (_, at) => 10 ** (low + at))
  const grid = powers.map((power) => [
    line(LEFT, y(power), WIDTH - 40, y(power)),
    text(LEFT - 8, y(power) + 4, `${power.toLocaleString('en')} ${unit}`, { size: 11, fill: 'quiet', anchor: 'end' }),
  ])
  const [all] = Object.values(series).toSorted((one, other) => other.length - one.length)
  const ticks = all.map(([value]) => text(x(value), HEIGHT - BOTTOM + 18, label(value), { size: 11, fill: 'quiet', anchor: 'middle' }))
  const drawn = Object.entries(series).map(([name, points], at) => {
    const [colour, dash] = at === 0 ? ['accent', undefined] : ['quiet', '5 4']
    const parts = points.slice(1).map((point, before) => {
      const from = points[before]
      return line(x(from[0]), y(from[1]), x(point[0]), y(point[1]), { stroke: colour, width: 2, dash })
    })
    const dots = points.map(([at, value]) => rect(x(at) - 3, y(value) - 3, 6, 6, { fill: colour, radius: 3 }))
    const key = 46 + at * 18
    const sign = [line(LEFT + 8, key + 12, LEFT + 36, key + 12, { stroke: colour, width: 2, dash }), text(LEFT + 44, key + 16, name, { size: 12 })]
    return [parts, dots, sign]
  })
  const told = Object.entries(series).map(([name, points]) => `${name}: ${points.map(([at, value]) => `${label(at)} ${value.toFixed(0)} ${unit}`).join(', ')}`)
  const foot = text(0, HEIGHT - 10, `${note}; ${on}, ${date}; both scales are logarithmic`, { size: 12, fill: 'quiet' })
  return picture(WIDTH, HEIGHT, `${title}. ${told.join('; ')}.`, [text(0, 22, title, { size: 16, weight: 700 }), grid, ticks, drawn, foot])
}
