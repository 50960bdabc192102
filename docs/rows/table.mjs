// The tables of `reference/tables/texts.md`. node table.mjs: runs the rows and puts the tables into the page.

import { readFileSync, writeFileSync } from 'node:fs'
import { inputs, shown } from './inputs.mjs'
import { peers, refusal } from './peers.mjs'

const titles = {
  quantity: 'A quantity, such as a fee cap',
  hexBytes: 'Bytes, such as call data',
  address: 'An address',
  amount: 'An amount, such as how many NFTs',
  jobId: 'A UUID',
}

/** The rows in which a library differs from Sendoff. */
export function tables() {
  return Object.entries(inputs).map(([kind, texts]) => {
    const { sendoff, ...others } = peers[kind]
    const sides = Object.entries({ Sendoff: sendoff, ...others })
    const all = texts.map((text) => ({ text, answers: sides.map(([, [, read]]) => read(text)) }))
    const rows = all.filter(({ answers }) => {
      const [mine] = answers
      return answers.some((answer) => (answer === undefined) !== (mine === undefined) || differs(answer, mine))
    })
    const lines = [
      ['input', ...sides.map(([name]) => name)],
      sides.map(() => '---').concat('---'),
      ...rows.map(({ text, answers }) => {
        return [shown(text), ...answers.map((answer, at) => cell(answer, at === 0 && refusal(kind, text)))]
      }),
    ]
    const asked = sides.map(([name, [call]]) => `\`${call}\` of ${name}`).join(', ')
    return `## ${titles[kind]}\n\nBy ${asked}.\n\n${lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n')}`
  }).join('\n\n')
}

/** Returns `true` if two readings differ. `yes` does not state a meaning, so it equals every meaning. */
function differs(answer, mine) {
  return answer !== mine && answer !== 'yes' && mine !== 'yes'
}

function cell(answer, code) {
  // A non-breaking space.
  if (code) return `no:\u00a0\`${code}\``
  if (answer === undefined) return 'no'
  return answer.length > 24 ? `${answer.length} digits` : answer
}

const page = new URL('../reference/tables/texts.md', import.meta.url)
const PLACE = /(<!-- rows -->\n)[^]*(<!-- \/rows -->)/

/** The current page, and the page with fresh tables. */
export function read() {
  const found = readFileSync(page, 'utf8')
  return { found, expected: found.replace(PLACE, (_, begin, end) => `${begin}\n${tables()}\n\n${end}`) }
}

if (process.argv[1] === import.meta.filename) writeFileSync(page, read().expected)
