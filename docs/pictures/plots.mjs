// Plots of measurements. `cargo xtask codegen size bench` writes the figures beside this file.

import { readFileSync } from 'node:fs'
import { picture, rect, text } from './svg.mjs'

const read = (name) => JSON.parse(readFileSync(new URL(`${name}.json`, import.meta.url), 'utf8'))
const [WIDTH, LEFT, ROW] = [760, 400, 44]

/** The download size of a page. */
export function size() {
  const { measured } = read('size')
  const rows = Object.entries(measured).map(([name, { gzip, brotli }]) => [name, { gzip, brotli }])
  const label = (bytes) => `${(bytes / 1000).toFixed(1)} kB`
  return bars('What a browser downloads', rows, label, 'smaller is better')
}

/** The time of a whole job in Node. */
export function bench() {
  const { measured, on, date } = read('bench')
  const sides = Object.entries(measured['both, in Node']).filter(([name]) => name !== 'floor')
  const rows = sides.map(([name, { min, median }]) => [name, { min, median }])
  return bars('Microseconds a job: request in, reply and hash out', rows, (time) => `${time} µs`, `${on}, ${date}; less is better`)
}

/** Two bars per row: the first in full colour, the second behind it. */
function bars(title, rows, label, note) {
  const most = Math.max(...rows.flatMap(([, values]) => Object.values(values)))
  const scale = (value) => (value / most) * (WIDTH - LEFT - 86)
  const kinds = Object.keys(rows[0][1])
  const drawn = rows.map(([name, values], at) => {
    const y = 46 + at * ROW
    return [
      text(LEFT - 12, y + 22, name, { size: 13, anchor: 'end' }),
      kinds.map((kind, index) => {
        const [top, width] = [y + 2 + index * 17, scale(values[kind])]
        return [
          rect(LEFT, top, Math.max(width, 1), 14, { fill: index ? 'accent' : 'line' }),
          text(LEFT + width + 6, top + 12, `${label(values[kind])} ${at === 0 ? kind : ''}`.trim(), { size: 11, fill: 'quiet' }),
        ]
      }),
    ]
  })
  const description = rows.map(([name, values]) => `${name}: ${kinds.map((kind) => `${label(values[kind])} ${kind}`).join(', ')}`)
  const height = 46 + rows.length * ROW + 30
  const foot = text(0, height - 10, note, { size: 12, fill: 'quiet' })
  return picture(WIDTH, height, `${title}. ${description.join('; ')}.`, [text(0, 22, title, { size: 16, weight: 700 }), drawn, foot])
}
