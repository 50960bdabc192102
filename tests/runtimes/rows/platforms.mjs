import { createHash } from 'node:crypto'
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { program } from '../program.mjs'

const programs = () => JSON.parse(readFileSync(fileURLToPath(new URL('../../../target/addons/programs.json', import.meta.url)), 'utf8'))

/** Node on every platform that the package has an addon for: with it, and with one that is broken. */
export function platforms({ ground }) {
  return Object.entries(programs()).flatMap(([platform, { absent, version = '', through, command }]) => {
    if (absent) return [{ name: `Node on ${platform}`, version, absent }]
    const [file, ...args] = command
    const runs = async (folder, backend) => {
      const report = await program(file, [...args, `${folder}/node/module.mjs`], { cwd: `${folder}/node` })
      if (report.backend !== backend) throw new Error(`expected ${backend}, found ${report.backend}`)
      return report
    }
    const broken = ['cut off', 'no library'].map((how) => () => without(ground.native, platform, how, (folder) => runs(folder, 'wasm')))
    return [
      { name: `Node on ${platform} (${through}), addon installed`, version, runs: [() => runs(ground.native, 'native')] },
      { name: `Node on ${platform} (${through}), addon broken`, version, runs: broken },
    ]
  })
}

/** Runs `use` with a folder in which the addon of a platform is broken. One that is no library has the digest that the package holds. */
async function without(native, platform, how, use) {
  const folder = `${native}-broken`
  cpSync(native, folder, { recursive: true })
  const dist = `${folder}/node_modules/sendoff/dist`
  const addon = `${dist}/sendoff.${platform}.node`
  const bytes = readFileSync(addon)
  const content = how === 'cut off' ? bytes.subarray(0, bytes.length >> 1) : Buffer.from(how)
  writeFileSync(addon, content)
  if (how === 'no library') {
    const [was, is] = [bytes, content].map((bytes) => createHash('sha256').update(bytes).digest('hex'))
    const holders = readdirSync(dist).map((file) => `${dist}/${file}`).filter((file) => /\.[cm]js$/.test(file))
    let changed = 0
    for (const file of holders) {
      const text = readFileSync(file, 'utf8')
      if (!text.includes(was)) continue
      writeFileSync(file, text.replaceAll(was, is))
      changed++
    }
    if (changed === 0) throw new Error(`expected the digest of ${addon} in the package, found none`)
  }
  try {
    return await use(folder)
  } finally {
    rmSync(folder, { recursive: true })
  }
}
