// The dashboard: a new operator makes an application, enables a chain, whitelists a token, calls the lists with the new key, and
// rotates the key. Every step is in the audit log.

import assert from 'node:assert/strict'
import { expectText } from './person.mjs'

const WALLET = '0x07c50e23dbD7F3A0147f44DC83739A8DcD8d252F'

export async function walkDashboard(page, look, { gateway, token, name }) {
  const trouble = page.locator('#trouble')
  const done = page.locator('#done')
  const press = (label) => page.getByRole('button', { name: label, exact: true }).click()
  /** The data that the gateway answers to a key. */
  const ask = async (list, key) => {
    const response = await fetch(`${gateway}/api/v1/supported/${list}`, { headers: { 'x-api-key': key } })
    return { status: response.status, data: (await response.json()).data }
  }

  await look('30-dashboard-sign-in')
  await page.getByLabel('Admin token').fill('wrong')
  await press('Sign in')
  await expectText(trouble, /does not accept this token/)
  await look('31-dashboard-refused')
  await page.getByLabel('Admin token').fill(token)
  await press('Sign in')
  await page.locator('#applications-heading:focus').waitFor()

  // What the page sends is judged by the gateway, and the problem is at its field.
  await page.getByLabel('Name', { exact: true }).fill(name)
  await page.getByLabel('Its smart wallet').fill('0x07')
  await press('Make the application')
  await expectText(page.locator('#clientSWA-problem'), /^Expected .* 40 hex digits/)
  await look('32-dashboard-applications')
  await page.getByLabel('Its smart wallet').fill(WALLET)
  await press('Make the application')
  await expectText(page.locator('#application-heading'), new RegExp(`^${name} \\(demo\\)$`))

  // A chain is enabled first; its tokens are hidden until then.
  const [chain] = await page.locator('.chain h3').allInnerTexts()
  assert.equal(await page.getByRole('button', { name: /^Whitelist/ }).count(), 0)
  await press(`Enable ${chain}`)
  await expectText(done, new RegExp(`^Enable: ${chain}`))
  assert.equal(await page.getByRole('button', { name: `Disable ${chain}` }).count(), 0, 'the catalogue says never')
  await page.getByRole('button', { name: /^Whitelist/ }).first().click()
  await expectText(done, /^Whitelist: /)
  await press(`Sponsor ${chain}`)
  await expectText(done, /^Sponsor: /)

  await press('Make a client key')
  await page.locator('#copy:focus').waitFor()
  const key = await page.locator('#secret-text').innerText()
  assert.match(key, /^sendoff_client_[0-9a-f]{64}$/)
  await look('33-dashboard-application')
  const networks = await ask('networks', key)
  assert.deepEqual(networks.data.network.map(({ network_name }) => network_name), [chain])
  assert.equal((await ask('tokens', key)).data.tokens.length, 1)

  // A token that the catalogue does not know yet; one that it knows is refused by the gateway.
  await page.getByText('Add a token').click()
  await page.getByLabel('Name of the token').fill('USDC')
  await page.getByLabel('Its address').fill(WALLET)
  await press('Add the token')
  await expectText(done, /^Added: USDC/)
  await page.getByText('Add a token').click()
  await page.getByLabel('Name of the token').fill('USDC')
  await page.getByLabel('Its address').fill(WALLET)
  await press('Add the token')
  await expectText(trouble, /expected each token once on its chain/)

  await page.getByRole('button', { name: /^Rotate/ }).first().click()
  await expectText(done, /^Rotated/)
  const rotated = await page.locator('#secret-text').innerText()
  assert.notEqual(rotated, key)
  assert.deepEqual([(await ask('networks', key)).status, (await ask('networks', rotated)).status], [200, 200])
  await look('34-dashboard-rotated')
  const audit = await page.locator('#parts .rows').last().innerText()
  for (const action of ['rotate-credential', 'know', 'make-credential', 'sponsor', 'whitelist', 'enable', 'make-application']) {
    assert.match(audit, new RegExp(`^${action}: `, 'm'))
  }
  assert.match(audit, /by demo, /)
  assert(!(await page.locator('#parts').innerText()).includes(rotated), 'a secret is shown once')

  await press('All applications')
  await page.locator('#applications-heading:focus').waitFor()
  await page.getByRole('button', { name, exact: true }).click()
  await expectText(page.locator('#application-heading'), new RegExp(`^${name} `))
  assert(await page.locator('#secret').isHidden())
}
