import { readdirSync, readFileSync, statSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The project's own suites, which are the default. */
const OWN = fileURLToPath(new URL('../../tests/vectors', import.meta.url))

/** The suites of these files and folders and of those in `SENDOFF_VECTORS`. A folder without one is refused. */
export function suites(places) {
  const named = (process.env.SENDOFF_VECTORS ?? '').split(delimiter).filter(Boolean)
  const files = [...(places.length > 0 ? places : [OWN]), ...named].flatMap(filesOf)
  return files.map((file) => ({ suite: file, ...JSON.parse(readFileSync(file, 'utf8')) }))
}

function filesOf(place) {
  if (!statSync(place).isDirectory()) return [place]
  const files = readdirSync(place).filter((name) => name.endsWith('.json')).sort()
  if (files.length === 0) throw new Error(`${place}: expected suites, found no .json file`)
  return files.map((name) => join(place, name))
}
