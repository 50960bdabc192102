// `sendoff/js`: the core in JavaScript, without WebAssembly.

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { test } from 'node:test'
import { run } from '../suite.mjs'
import { suites } from '../suite-files.mjs'

// Nothing of it may be used.
delete globalThis.WebAssembly

const [sendoff, signature, sign] = [await import('sendoff/js'), await import('sendoff/js/signature'), await import('sendoff/js/sign')]
const { unwinds } = await import('./help.mjs')

// All vectors with SENDOFF_ALL, as this code takes several times as long.
const STEP = process.env.SENDOFF_ALL ? 1 : 4
const all = suites([]).flatMap(({ cases }) => cases).filter((_, at) => at % STEP === 0)

test('vectors pass', () => assert.deepEqual(run({ ...signature, ...sendoff }, { cases: all }).failures, []))

test('vectors of its functions pass with `sendoff/js/sign`', () => {
  const { passed, failures } = run(sign, { cases: all.filter(({ call }) => call in sign) })
  assert.deepEqual(failures, [])
  assert(passed > 1_000 / STEP, `expected hundreds of vectors, found ${passed}`)
})

test('it is known by its name, has the same functions, and there is nothing to wait for', async () => {
  for (const entry of [sendoff, sign]) {
    assert.equal(entry.backend(), 'js')
    await entry.init()
  }
  const required = createRequire(import.meta.url)('sendoff/js')
  assert.equal(required.backend(), 'js')
  assert.deepEqual(Object.keys(required).sort(), Object.keys(sendoff).sort())
  const whole = await import('sendoff')
  assert.deepEqual(Object.keys(whole).sort(), Object.keys(sendoff).sort())
})

test('after a stack overflow the next call succeeds, and after a large text its memory is freed', () => {
  const works = () => assert.equal(sendoff.readText('quantity', '0x10').decimal, '16')
  unwinds(works)
  assert.throws(() => sendoff.readText('quantity', '0'.repeat(10_000_000)), { name: 'SendoffError' })
  works()
})

test('text is the same with the UTF-8 of engines that have none', () => {
  const code = `
    delete globalThis.TextEncoder
    delete globalThis.TextDecoder
    const { safeReadText, safeDescribeCall } = await import('sendoff/js')
    // The answer repeats what was found.
    const texts = ['', 'a', 'é', '€', '💸', 'a\\u0000é€💸z', '\\u{10ffff}\\ud7ff\\ue000\\uffff\\u07ff\\u0800\\u007f\\u0080']
    console.log(JSON.stringify(texts.map((text) => safeReadText('address', text.repeat(30)))))
    const long = 'é€💸'.repeat(2000)
    console.log(JSON.stringify(safeReadText(long, '')))`
  const here = { cwd: new URL('.', import.meta.url), encoding: 'utf8' }
  const ran = (code) => execFileSync(process.execPath, ['--input-type=module', '-e', code], here)
  assert.equal(ran(code), ran(code.replaceAll('delete', 'void').replaceAll('sendoff/js', 'sendoff')))
})
