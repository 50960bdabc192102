import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

/** Runs a program that prints reports, one per line, and returns one. But for times they are equal. */
export async function program(file, args, { cwd, env = {}, timeout = 60_000 } = {}) {
  const inherited = { ...process.env, ...env }
  const { stdout } = await promisify(execFile)(file, args, { cwd, env: inherited, timeout })
  const [first, ...rest] = stdout.trim().split('\n')
  const untimed = (line) => JSON.stringify({ ...JSON.parse(line), times: undefined })
  if (rest.some((line) => untimed(line) !== untimed(first))) throw new Error(`expected reports that are alike, found ${stdout}`)
  return JSON.parse(first)
}
