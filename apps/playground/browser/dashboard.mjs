// The dashboard: a new operator makes an application, enables a chain, whitelists a token, calls the lists with the new key, rotates
// the key, and sets a limit. Every step is in the last changes, in a sentence.

import assert from 'node:assert/strict'
import { expectText } from './person.mjs'

const WALLET = '0x07c50e23dbD7F3A0147f44DC83739A8DcD8d252F'

export async function walkDashboard(page, look, { gateway, admin, token, name, isFirst }) {
  const [trouble, done, next] = ['#trouble', '#done', '#next'].map((place) => page.locator(place))
  const press = (label) => page.getByRole('button', { name: label, exact: true }).click()
  /** The data that the gateway answers to a key. */
  const ask = async (list, key) => {
    const response = await fetch(`${gateway}/api/v1/supported/${list}`, { headers: { 'x-api-key': key } })
    return { status: response.status, data: (await response.json()).data }
  }

  if (isFirst) {
    const headers = { authorization: `Bearer ${token}`, 'idempotency-key': 'first' }
    assert((await fetch(`${admin}/admin/v1/applications/demo/demo`, { method: 'DELETE', headers })).ok)
  }
  await look('30-dashboard-sign-in')
  await page.getByLabel('Admin token').fill('wrong')
  await press('Sign in')
  await expectText(trouble, /^The gateway does not accept this token\.$/)
  await page.getByLabel('Admin token').fill(token)
  await press('Sign in')
  await page.locator('#applications-heading:focus').waitFor()

  // Without an application the page says what to do.
  assert.equal(await page.locator('#first-visit').isVisible(), isFirst)
  if (isFirst) {
    await expectText(page.locator('#first-visit'), /^No application yet\. Make one: .* Then enable a chain/)
    await look('30-dashboard-first')
  }

  // What the page sends is judged by the gateway, and the problem is at its field, in words.
  await page.getByLabel('Name', { exact: true }).fill(name)
  await page.locator('#clientSWA').fill('0x07')
  await press('Make the application')
  await expectText(page.locator('#clientSWA-problem'), /^Enter a wallet address: 0x and 40 characters\.$/)
  await look('31-dashboard-applications')
  const [field, form] = await Promise.all(['#name', '#new'].map((place) => page.locator(place).boundingBox()))
  assert(field.width < 320 && field.width < form.width, 'a field is as wide as its content')
  await page.locator('#clientSWA').fill(WALLET)
  await press('Make the application')
  await expectText(page.locator('#application-heading'), new RegExp(`^${name} \\(demo\\)$`))
  await expectText(next, /^Next: enable a chain, then whitelist a token there, then make a key for its program\.$/)
  // Both are in the section and on the page that the specification names.
  for (const [level, name] of [[2, 'Wallet Controls'], [3, 'Chains & Tokens']]) await page.getByRole('heading', { level, name, exact: true }).waitFor()

  // Chains are in a list of mainnets and testnets. A chain is enabled first; its tokens are shown then, by their symbols.
  const chain = page.getByLabel('Chain', { exact: true })
  const groups = await chain.locator('optgroup').evaluateAll((all) => all.map(({ label, textContent }) => [label, textContent]))
  assert.deepEqual(groups, [['Mainnets', 'Polygon'], ['Testnets', 'Polygon Amoy']])
  await chain.selectOption({ label: 'Polygon Amoy' })
  assert.equal(await page.getByRole('button', { name: /^Whitelist/ }).count(), 0)
  await press('Enable Polygon Amoy')
  await expectText(done, /^Polygon Amoy is enabled: whitelist its tokens now\.$/)
  assert.equal(await page.getByRole('button', { name: 'Disable Polygon Amoy' }).count(), 0, 'the catalogue says never')
  await press('Whitelist POL on Polygon Amoy')
  await expectText(done, /^POL on Polygon Amoy is whitelisted\.$/)
  await press('Sponsor fees on Polygon Amoy')
  await expectText(done, /^Fees on Polygon Amoy are sponsored\.$/)
  await expectText(next, /^Next: make a key for its program\.$/)

  await press('Make a client key')
  await page.locator('#copy:focus').waitFor()
  const key = await page.locator('#secret-text').innerText()
  assert.match(key, /^sendoff_client_[0-9a-f]{64}$/)
  assert.equal(await next.innerText(), '')
  await look('32-dashboard-application')
  const networks = await ask('networks', key)
  assert.deepEqual(networks.data.network.map(({ network_name }) => network_name), ['POLYGON_TESTNET_AMOY'])
  assert.equal((await ask('tokens', key)).data.tokens.length, 1)

  // A token that the catalogue does not know yet; one that it knows is refused by the gateway.
  const add = async () => {
    const part = page.locator('details', { has: page.locator('#know') })
    if (!(await part.evaluate(({ open }) => open))) await page.getByText('Add a token to this chain').click()
    await page.getByLabel('Symbol').fill('USDC')
    await page.locator('#tokenAddress').fill(WALLET)
    await press('Add the token')
  }
  await add()
  await expectText(done, /^USDC is listed: whitelist it now\.$/)
  await add()
  await expectText(trouble, /This token is there already\.$/)

  // Limit, pages and wallet are changed, and are in service.
  await page.getByLabel('Calls', { exact: true }).selectOption('own')
  await page.getByLabel('Calls in a window').fill('7')
  await page.getByLabel('Seconds of a window').fill('60')
  await page.getByLabel('Pages that may call').selectOption('own')
  await page.getByLabel('Origins of pages').fill('https://shop.example/')
  await press('Save')
  await expectText(page.locator('#origins-problem'), /^Enter an origin, such as https:\/\/shop\.example, without a slash at its end\.$/)
  await page.getByLabel('Origins of pages').fill('https://shop.example')
  await press('Save')
  await expectText(done, /^Saved\.$/)
  assert.equal(await page.getByLabel('Calls in a window').inputValue(), '7')
  await expectText(page.locator('#calls'), /7 calls/)
  assert.equal(await page.getByLabel('Origins of pages').inputValue(), 'https://shop.example')
  await press('Save')
  await expectText(done, /^Nothing was changed\.$/)

  await page.getByRole('button', { name: /^Rotate/ }).first().click()
  await expectText(done, /^There is a new key\. The old one ends in a day\.$/)
  const rotated = await page.locator('#secret-text').innerText()
  assert.notEqual(rotated, key)
  assert.deepEqual([(await ask('networks', key)).status, (await ask('networks', rotated)).status], [200, 200])
  assert.equal(await page.getByRole('button', { name: /^Rotate/ }).count(), 1, 'a key that ends is not rotated again')
  await look('33-dashboard-rotated')
  const said = await page.locator('#application .changes').innerText()
  const changes = [
    /made the client key .* in the place of .*, which ends at 20/,
    /changed the limit to 7 calls in 60 s and the pages to https:\/\/shop\.example/,
    /added USDC on Polygon Amoy/,
    /made the client key/,
    /began to sponsor fees on Polygon Amoy/,
    /whitelisted POL on Polygon Amoy/,
    /enabled Polygon Amoy/,
  ]
  assert.match(said, new RegExp(`^demo made the application ${name}, with the wallet 0x07c5.*\\.$`, 'm'))
  for (const change of changes) assert.match(said, new RegExp(`^demo ${change.source}.* for ${name}\\.$`, 'm'))
  assert(!(await page.locator('#application').innerText()).replace(rotated, '').includes(rotated), 'a secret is shown once')

  // A key that has ended has no buttons.
  const clock = new Date(Date.now() + 2 * 86_400_000)
  await page.clock.setFixedTime(clock)
  await press('All applications')
  await page.locator('#applications-heading:focus').waitFor()
  await press(`Open ${name}`)
  await expectText(page.locator('#application-heading'), new RegExp(`^${name} `))
  await expectText(page.locator('#keys'), /ended 20/)
  assert.equal(await page.getByRole('button', { name: /^End / }).count(), 1)
  assert(await page.locator('#secret').isHidden())
}
