// The commands and the configuration keys in the guides exist.

import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { OPERATIONS } from 'sendoff'
import { fences, files, guides } from './guides.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))
const read = (path) => readFileSync(root + path, 'utf8')
const [, usage] = /const USAGE: &str = "\\\n([^]*?)";/.exec(read('crates/xtask/src/main.rs'))
const manifest = read('Cargo.toml')
const { version } = JSON.parse(read('bindings/sendoff-js/package.json'))

/** Checks of commands, by their first words. A guide may have no other commands. */
const commands = [
  [/^cargo xtask (\S+)(?: (--\S+))?(?: \d+)?$/, (name, flag) => new RegExp(`^  ${name} .*${flag ?? ''}`, 'm').test(usage)],
  [/^cargo xtask test (\S+)(?: -- \d+)?$/, (part) => read('crates/xtask/src/parts.rs').includes(`"${part}"`)],
  [/^cargo test -p (\S+)$/, (name) => manifest.includes(`"crates/${name}"`) || existsSync(`${root}tests/${name}/Cargo.toml`)],
  [/^cargo (?:build --release|doc) -p (\S+)(?: --open)?$/, (name) => manifest.includes(`"crates/${name}"`)],
  [/^cargo run -p (\S+) --example (\S+)(?: -- \d+)?$/, (name, example) => ['crates', 'tests'].some((room) => existsSync(`${root}${room}/${name}/examples/${example}.rs`))],
  [/^npm install \.\/(\S+)$/, (file) => file === `sendoff-${version}.tgz`],
  [/^npm install (?:vite|express)$/, () => true],
  // What `pack` writes, in a folder of the reader's.
  [/^sha256sum --check --ignore-missing SHA256SUMS$/, () => read('bindings/sendoff-js/pack.mjs').includes('SHA256SUMS')],
  [/^tar -xzf (\S+)$/, (file) => file === `sendoff-${version}.crate`],
  [/^cargo add sendoff --path \.\.\/(\S+)$/, (folder) => folder === `sendoff-${version}`],
  [/^npm init -y$/, () => true],
  [/^(?:cargo new|cd) shop$/, () => true],
  [/^cargo run$/, () => true],
  [/^export (?:[A-Z_]+=\w ?)+$/, () => true],
  [/^target\/release\/sendoff-gateway --config (\S+)$/, (file) => existsSync(root + file)],
  [/^curl -i http:\/\/127\.0\.0\.1:\d+(\/\S+)(?!.* -d )/, (path) => isServed(path)],
  [/^install -m \d+ (?:-g sendoff )?(\S+) \/\S+$/, (file) => file.startsWith('target/') || existsSync(root + file)],
  [/^install -d -m 750 -g sendoff \/etc\/sendoff$/, () => true],
  [/^(?:systemd-sysusers|systemctl daemon-reload)$/, () => true],
  [/^systemctl enable --now (.+)$/, (units) => units.split(' ').every((unit) => existsSync(`${root}crates/sendoff-gateway/deploy/${unit}`))],
  [/^journalctl -u sendoff-gateway -o cat \| jq 'select\(\.(\w+) == "\S+"\)'$/, (field) => new RegExp(`\\b${field},`).test(read('crates/sendoff-gateway/src/request/account.rs'))],
  // A file of the repository, or one that the page shows.
  [/^curl -i http:\/\/127\.0\.0\.1:\d+(\/\S+).* -d @(\S+)$/, (path, file) => isServed(path) && (existsSync(root + file) || file in files('start/node.md'))],
]

const isServed = (path) => ['/ready', '/health', '/metrics', ...OPERATIONS.map(({ path }) => path)].includes(path)

const isThere = (line) => commands.some(([pattern, holds]) => {
  const found = pattern.exec(line)
  return found && holds(...found.slice(1))
})

for (const guide of guides) {
  const lines = fences(guide, 'sh').flatMap((content) => content.replaceAll(/\\\n */g, '').trim().split('\n'))
    .map((line) => line.replace(/ +# .*$/, ''))
  const inline = Array.from(readFileSync(`${root}docs/${guide}`, 'utf8').matchAll(/`(cargo [^`]+)`/g), ([, command]) => command)
  const all = [...lines, ...inline]
  if (all.length > 0) test(`${guide}: its commands exist`, () => {
    assert.deepEqual(all.filter((line) => !isThere(line)), [])
  })
}

test('the keys of the gateway that a guide names are in its example file', () => {
  const example = read('crates/sendoff-gateway/gateway.toml')
  const text = fences('start/gateway.md', 'toml').join('')
  const keys = Array.from(text.matchAll(/^([a-z_.]+) =/gm), ([, key]) => key)
  assert(keys.length > 4)
  assert.deepEqual(keys.filter((key) => !new RegExp(`\\b${key} =`).test(example)), [])
})
