import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { FEATURES } from '../modules.mjs'
import { packed } from '../packed.mjs'
import { unpacked } from '../unpacked.mjs'

const at = (path) => fileURLToPath(new URL(path, import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'sendoff-packed-'))
after(() => rmSync(folder, { recursive: true }))

const assembler = at('../node_modules/binaryen/bin/wasm-as')
execFileSync(process.execPath, [assembler, ...FEATURES, at('../src/unpack.wat'), '-o', `${folder}/unpack.wasm`])
const unpacker = readFileSync(`${folder}/unpack.wasm`)

/** A number in LEB128 without a sign. */
const number = (value) => (value < 128 ? [value] : [(value % 128) + 128, ...number(Math.floor(value / 128))])
const sized = (bytes) => [...number(bytes.length), ...bytes]
/** A module of functions with these bytes each. Engines may refuse it: it has no types. */
const moduleOf = (...functions) => {
  const code = [...number(functions.length), ...functions.flatMap(sized)]
  return Uint8Array.from([0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0, 10, ...sized(code), 11, 1, 0])
}
const same = async (module) => assert.deepEqual([...(await unpacked(packed(module), unpacker))], [...module])

test('every known instruction becomes the same', async () => {
  const far = number(2 ** 31)
  const plain = [0x00, 0x01, 0x05, 0x0f, 0x1a, 0x1b, 0xd1, ...Array.from({ length: 0xc4 - 0x45 + 1 }, (_, at) => 0x45 + at)]
  const indexed = [0x0c, 0x0d, 0x10, 0x20, 0x21, 0x22, 0x23, 0x24, 0x25, 0x26, 0x41, 0x42, 0xd0, 0xd2]
  const accesses = Array.from({ length: 0x3e - 0x28 + 1 }, (_, at) => 0x28 + at)
  const prefixed = [[8, 2], [9, 1], [10, 2], [11, 1], [12, 2], [13, 1], [14, 2], [15, 1], [16, 1], [17, 1]]
  const instructions = [
    ...plain.map((byte) => [byte]),
    ...[0x02, 0x03, 0x04].flatMap((byte) => [[byte, 0x40], [byte, 0x7f], [byte, ...number(300)]]),
    ...indexed.flatMap((byte) => [[byte, 0], [byte, 127], [byte, ...far]]),
    ...accesses.flatMap((byte) => [[byte, 0, 0], [byte, 1, ...far]]),
    [0x3f, 0], [0x40, 0], [0x11, ...number(200), 0],
    [0x42, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x7f],
    [0x43, 0xff, 0, 0x80, 0x3f], [0x44, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xef, 0x7f],
    [0x1c, 1, 0x7f], [0x0e, 0, 5], [0x0e, 3, 0, 1, 2, ...number(1000)], [0x0e, ...number(600), ...Array(601).fill(1)],
    ...[0, 1, 2, 3, 4, 5, 6, 7].map((second) => [0xfc, second]),
    ...prefixed.map(([second, count]) => [0xfc, second, ...far, ...Array(count - 1).fill(0)]),
  ]
  await same(moduleOf([0, ...instructions.flat(), 0x0b]))
  // Sizes of one, two and three bytes, and locals of some groups.
  for (const length of [0, 124, 125, 126, 16_380, 16_381, 16_382])
    await same(moduleOf([0, ...Array(length).fill(1), 0x0b], [2, 1, 0x7f, ...number(300), 0x7e, 0x0b]))
  await same(moduleOf([...number(130), ...Array(130).fill([1, 0x7f]).flat(), 0x0b]))
})

test('an unknown instruction, or a function that does not end at its end, is an error', () => {
  for (const bytes of [[0xfd], [0xfe], [0xfc, 0x12], [0x06], [0x12], [0xff]]) {
    const shown = bytes.map((byte) => byte.toString(16).padStart(2, '0')).join(' ')
    assert.throws(() => packed(moduleOf([0, ...bytes, 0x0b])), new RegExp(`^Error: unknown instruction ${shown} at`))
  }
  assert.throws(() => packed(moduleOf([0, 0x41, 0x0b])), /^Error: expected /)
  assert.throws(() => packed(moduleOf([0, 0x01])), /^Error: expected /)
  assert.throws(() => packed(moduleOf([0, 0x0b]).subarray(0, 12)), /^Error: expected /)
})

