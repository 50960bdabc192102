// The elements of a picture, and its colours in the light and in the dark.

/** The colours of a picture outside the site. On the site, the theme defines the same names. */
const STYLE = `
    svg { --ink: #14181c; --quiet: #545d66; --line: #c9cfd3; --sheet: #ffffff; --accent: #0b6b5f; --tint: #d5ebe6; --alarm: #b3261e; --alarm-tint: #fbdcd9 }
    @media (prefers-color-scheme: dark) {
      svg { --ink: #eceff1; --quiet: #a3adb7; --line: #3a434b; --sheet: #181c20; --accent: #5fd0bb; --tint: #12403a; --alarm: #ffb0a8; --alarm-tint: #55211d }
    }
  `

const escaped = (text) => String(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

const attributes = (own) =>
  Object.entries(own).map(([name, value]) => ` ${name}="${typeof value === 'number' ? Number(value.toFixed(1)) : value}"`).join('')

/** A whole picture. `about` describes it for screen readers. */
export function picture(width, height, about, elements) {
  const own = { xmlns: 'http://www.w3.org/2000/svg', viewBox: `0 0 ${width} ${height}`, width, height, role: 'img' }
  const head = `<svg${attributes(own)} aria-label="${escaped(about).replaceAll('"', '&quot;')}">`
  return [head, `  <style>${STYLE}</style>`, ...elements.flat(Infinity).map((element) => `  ${element}`), '</svg>', ''].join('\n')
}

/** Text; `anchor` is start, middle or end. */
export function text(x, y, content, { fill = 'ink', size = 14, weight = 400, anchor = 'start', code = false } = {}) {
  const family = code ? "ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace" : 'system-ui, sans-serif'
  const own = { x, y, fill: `var(--${fill})`, 'font-size': size, 'font-weight': weight, 'font-family': family, 'text-anchor': anchor }
  return `<text${attributes(own)}>${escaped(content)}</text>`
}

export function rect(x, y, width, height, { fill = 'sheet', stroke, radius = 0 } = {}) {
  const own = { x, y, width, height, rx: radius, fill: `var(--${fill})` }
  return `<rect${attributes(stroke ? { ...own, stroke: `var(--${stroke})` } : own)} />`
}

export function line(x1, y1, x2, y2, { stroke = 'line', width = 1, dash } = {}) {
  const own = { x1, y1, x2, y2, stroke: `var(--${stroke})`, 'stroke-width': width }
  return `<line${attributes(dash ? { ...own, 'stroke-dasharray': dash } : own)} />`
}

/** An arrow from left to right or back. */
export function arrow(x1, y, x2, { stroke = 'ink' } = {}) {
  const back = Math.sign(x1 - x2) * 8
  const head = `<path d="M${x2 + back} ${y - 5}L${x2} ${y}L${x2 + back} ${y + 5}" fill="none" stroke="var(--${stroke})" stroke-width="2" />`
  return [line(x1, y, x2, y, { stroke, width: 2 }), head]
}
