// The dashboard: a new operator makes an application, enables a chain, whitelists a token, calls the lists with the new key, rotates
// the key, and sets a limit. Every step is in the last changes, in a sentence.

import assert from 'node:assert/strict'
import { expectText, steps } from '../../../tests/browser/person.mjs'

const WALLET = '0x07c50e23dbD7F3A0147f44DC83739A8DcD8d252F'
const ADD = { unfold: 'Add a token to this chain', fill: ['Symbol', 'USDC'], set: ['#tokenAddress', WALLET], press: 'Add the token' }

export async function walkDashboard(page, look, { gateway, admin, token, name, isFirst }) {
  const run = (...list) => steps(page, look, list)
  const text = (place) => page.locator(place).innerText()
  /** The data that the gateway answers to a key. */
  const ask = async (list, key) => {
    const response = await fetch(`${gateway}/api/v1/supported/${list}`, { headers: { 'x-api-key': key } })
    return { status: response.status, data: (await response.json()).data }
  }

  if (isFirst) {
    const headers = { authorization: `Bearer ${token}`, 'idempotency-key': 'first' }
    assert((await fetch(`${admin}/admin/v1/applications/demo/demo`, { method: 'DELETE', headers })).ok)
  }
  await run(
    { look: '30-dashboard-sign-in', fill: ['Admin token', 'wrong'], press: 'Sign in', '#trouble': /^The gateway does not accept this token\.$/ },
    { fill: ['Admin token', token], press: 'Sign in', focus: '#applications-heading' },
  )
  // Without an application the page says what to do.
  assert.equal(await page.locator('#first-visit').isVisible(), isFirst)
  if (isFirst) await run({ '#first-visit': /^No application yet\. Make one: .* Then enable a chain/, look: '30-dashboard-first' })

  // What the page sends is judged by the gateway, and the problem is at its field, in words.
  await run({ fill: ['Name', name], set: ['#clientSWA', '0x07'], press: 'Make the application', '#clientSWA-problem': /^Enter a wallet address: 0x and 40 characters\.$/, look: '31-dashboard-applications' })
  const [field, form] = await Promise.all(['#name', '#new'].map((place) => page.locator(place).boundingBox()))
  assert(field.width < 320 && field.width < form.width, 'a field is as wide as its content')
  await run({
    set: ['#clientSWA', WALLET],
    press: 'Make the application',
    '#application-heading': new RegExp(`^${name} \\(demo\\)$`),
    '#next': /^Next: enable a chain, then whitelist a token there, then make a key for its program\.$/,
  })
  // Both are in the section and on the page that the specification names.
  for (const [level, name] of [[2, 'Wallet Controls'], [3, 'Chains & Tokens']]) await page.getByRole('heading', { level, name, exact: true }).waitFor()

  // Chains are in a list of mainnets and testnets. A chain is enabled first; its tokens are shown then, by their symbols. The catalogue
  // says that none is disabled.
  const groups = await page.getByLabel('Chain', { exact: true }).locator('optgroup').evaluateAll((all) => all.map(({ label, textContent }) => [label, textContent]))
  assert.deepEqual(groups, [['Mainnets', 'Polygon'], ['Testnets', 'Polygon Amoy']])
  await run(
    { select: ['Chain', { label: 'Polygon Amoy' }], button: [/^Whitelist/, 0] },
    { press: 'Enable Polygon Amoy', '#done': /^Polygon Amoy is enabled: whitelist its tokens now\.$/, button: ['Disable Polygon Amoy', 0] },
    { press: 'Whitelist POL on Polygon Amoy', '#done': /^POL on Polygon Amoy is whitelisted\.$/ },
    { press: 'Sponsor fees on Polygon Amoy', '#done': /^Fees on Polygon Amoy are sponsored\.$/, '#next': /^Next: make a key for its program\.$/ },
    { press: 'Make a client key', focus: '#copy', '#secret-text': /^sendoff_client_[0-9a-f]{64}$/, '#next': /^$/, look: '32-dashboard-application' },
  )
  const key = await text('#secret-text')
  const networks = await ask('networks', key)
  assert.deepEqual(networks.data.network.map(({ network_name }) => network_name), ['POLYGON_TESTNET_AMOY'])
  assert.equal((await ask('tokens', key)).data.tokens.length, 1)

  // A token that the catalogue does not know yet; one that it knows is refused by the gateway. Limit, pages and wallet are changed, and
  // are in service.
  await run(
    { ...ADD, '#done': /^USDC is listed: whitelist it now\.$/ },
    { ...ADD, '#trouble': /This token is there already\.$/ },
    { select: ['Calls', 'own'], fill: ['Calls in a window', '7'] },
    { fill: ['Seconds of a window', '60'], select: ['Pages that may call', 'own'] },
    { fill: ['Origins of pages', 'https://shop.example/'], press: 'Save', '#origins-problem': /^Enter an origin, such as https:\/\/shop\.example, without a slash at its end\.$/ },
    { fill: ['Origins of pages', 'https://shop.example'], press: 'Save', '#done': /^Saved\.$/, '#calls': /7 calls/ },
  )
  assert.equal(await page.getByLabel('Calls in a window').inputValue(), '7')
  assert.equal(await page.getByLabel('Origins of pages').inputValue(), 'https://shop.example')
  await run({ press: 'Save', '#done': /^Nothing was changed\.$/ })

  // A key that ends is not rotated again, and a secret is shown once.
  await page.getByRole('button', { name: /^Rotate/ }).first().click()
  await run({ '#done': /^There is a new key\. The old one ends in a day\.$/, button: [/^Rotate/, 1], look: '33-dashboard-rotated' })
  const rotated = await text('#secret-text')
  assert.notEqual(rotated, key)
  assert.deepEqual([(await ask('networks', key)).status, (await ask('networks', rotated)).status], [200, 200])
  assert(!(await text('#application')).replace(rotated, '').includes(rotated))
  const said = await text('#application .changes')
  assert.match(said, new RegExp(`^demo made the application ${name}, with the wallet 0x07c5.*\\.$`, 'm'))
  for (const change of [
    /made the client key .* in the place of .*, which ends at 20/,
    /changed the limit to 7 calls in 60 s and the pages to https:\/\/shop\.example/,
    /added USDC on Polygon Amoy/,
    /made the client key/,
    /began to sponsor fees on Polygon Amoy/,
    /whitelisted POL on Polygon Amoy/,
    /enabled Polygon Amoy/,
  ]) assert.match(said, new RegExp(`^demo ${change.source}.* for ${name}\\.$`, 'm'))

  // A key that has ended has no buttons.
  await page.clock.setFixedTime(new Date(Date.now() + 2 * 86_400_000))
  await run({ press: 'All applications', focus: '#applications-heading' }, { press: `Open ${name}` })
  await expectText(page.locator('#application-heading'), new RegExp(`^${name} `))
  await run({ '#keys': /ended 20/, button: [/^End /, 1], hidden: '#secret' })
}
