// node pack.mjs: packs the packages of a release into target/packages, after `cargo xtask build`. One is the main package, the
// other the addon for the platform of this machine. npm installs the addon of the user's platform, if there is one.

import { execFileSync } from 'node:child_process'
import { copyFileSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { addon, libc, target } from './platform.mjs'

/** The platforms with an addon. Each addon is built and packed on a machine of its platform. */
const TARGETS = ['linux-x64-gnu']

const at = (path) => fileURLToPath(new URL(path, import.meta.url))
const packages = at('../../target/packages')
const { scripts, devDependencies, ...manifest } = JSON.parse(readFileSync(at('package.json'), 'utf8'))
const { name, version, license, author, engines } = manifest

/** Creates the tarballs: `{ main, native }`. */
export function pack() {
  rmSync(packages, { recursive: true, force: true })
  return { main: main(), native: native() }
}

function main() {
  const optionalDependencies = Object.fromEntries(TARGETS.map((target) => [`${name}-${target}`, version]))
  const folder = laid(name, { ...manifest, optionalDependencies })
  copyFileSync(at('README.md'), `${folder}/README.md`)
  for (const own of ['bin', 'dist']) cpSync(at(own), `${folder}/${own}`, { recursive: true })
  return packed(folder)
}

function native() {
  const description = `The native addon of ${name} for ${target}`
  const platform = { os: [process.platform], cpu: [process.arch], ...(libc && { libc: [libc] }) }
  const own = { name: `${name}-${target}`, version, description, license, author, engines, ...platform }
  const folder = laid(own.name, { ...own, main: addon, files: [addon, 'LICENSE-*'] })
  copyFileSync(at(`dist/${addon}`), `${folder}/${addon}`)
  return packed(folder)
}

/** A folder with the files of every package. */
function laid(name, manifest) {
  const folder = `${packages}/${name}`
  mkdirSync(folder, { recursive: true })
  writeFileSync(`${folder}/package.json`, `${JSON.stringify(manifest, null, 2)}\n`)
  for (const text of ['LICENSE-APACHE', 'LICENSE-MIT']) copyFileSync(at(`../../${text}`), `${folder}/${text}`)
  return folder
}

/** Packs a folder, and returns the path of the tarball and its files. */
function packed(folder) {
  const args = ['pack', '--json', '--loglevel=error', '--pack-destination', packages]
  const [{ filename, files }] = JSON.parse(execFileSync('npm', args, { cwd: folder, encoding: 'utf8' }))
  return { tarball: `${packages}/${filename}`, files: files.map(({ path }) => path) }
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  for (const { tarball } of Object.values(pack())) console.log(tarball)
