// node pack.mjs [FILE…]: packs the package into target/packages, beside these files, after `cargo xtask build`. It contains the addon for the platform of this
// machine, and depends on no other package: a name on a registry that we do not own could become anybody's.

import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { copyFileSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'

const at = (path) => fileURLToPath(new URL(path, import.meta.url))

/** Creates the tarball and SHA256SUMS in a folder, which is emptied, beside others, and returns the tarball's path and its files. */
export function pack(packages = at('../../target/packages'), others = []) {
  const folder = `${packages}/sendoff`
  rmSync(packages, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const { scripts, devDependencies, ...manifest } = JSON.parse(readFileSync(at('package.json'), 'utf8'))
  writeFileSync(`${folder}/package.json`, `${JSON.stringify(manifest, null, 2)}\n`)
  copyFileSync(at('README.md'), `${folder}/README.md`)
  for (const text of ['LICENSE-APACHE', 'LICENSE-MIT']) copyFileSync(at(`../../${text}`), `${folder}/${text}`)
  cpSync(at('bin'), `${folder}/bin`, { recursive: true })
  cpSync(at('dist'), `${folder}/dist`, { recursive: true })
  const args = ['pack', '--json', '--loglevel=error', '--pack-destination', packages]
  const [{ filename, files }] = JSON.parse(execFileSync('npm', args, { cwd: folder, encoding: 'utf8' }))
  for (const other of others) copyFileSync(other, `${packages}/${basename(other)}`)
  const sum = (name) => `${createHash('sha256').update(readFileSync(`${packages}/${name}`)).digest('hex')}  ${name}\n`
  writeFileSync(`${packages}/SHA256SUMS`, [filename, ...others.map((other) => basename(other))].map(sum).join(''))
  return { tarball: `${packages}/${filename}`, files: files.map(({ path }) => path) }
}

/** Installs a tarball, or else a new one, into a folder, which is emptied: as users install the package, and from no registry. */
export function install(folder, tarball) {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  writeFileSync(`${folder}/package.json`, '{ "private": true, "type": "module" }\n')
  const args = ['install', tarball ?? pack(`${folder}/packages`).tarball, '--offline', '--loglevel=error']
  execFileSync('npm', args, { cwd: folder })
}

if (process.argv[1] === fileURLToPath(import.meta.url)) console.log(pack(undefined, process.argv.slice(2)).tarball)
