// The pocket service in the page: request, verification, signature, submission, receipt; and a lie.

import assert from 'node:assert/strict'
import { expectText, type } from './person.mjs'

export async function walkPocket(page, look) {
  const ask = page.getByRole('button', { name: 'Ask the service' })
  const sign = page.getByRole('button', { name: 'Sign and send' })
  const wallet = page.locator('#wallet')
  assert(await page.locator('#pocket').isHidden())
  await page.getByLabel('Answers come from').selectOption('pocket')
  await expectText(wallet, /500 USDC on eip155:137/)
  await expectText(wallet, /NFT 56/)
  assert(await sign.isDisabled(), 'the reply of the core in the page is for another deployment')

  await ask.click()
  await expectText(page.locator('#verdict'), /^Verified/)
  await expectText(page.locator('h1'), /^1 USDC goes to 0xEc18…B831 on Polygon/)
  await sign.click()
  const steps = page.locator('#steps')
  await expectText(steps, /The transfer is made\./, 30_000)
  const said = (await steps.innerText()).split('\n')
  assert.match(said[0], /^The reply is verified: 1 USDC /)
  assert.match(said[1], /^Signed by the key 0x/)
  assert.match(said[2], /^Sent to the bundler\. The submission is accepted\.$/)
  assert.match(said[3], /^The receipt: succeeded, for [\d,]+ wei\.$/)
  await expectText(wallet, /499 USDC on eip155:137/)
  await expectText(page.locator('#operations'), /executed/)
  await expectText(page.locator('#sign-hint'), /It was sent\./)
  assert(await sign.isDisabled())
  await look('22-pocket')

  // A reply that lies has nothing to sign.
  await page.getByLabel('Have it lie').selectOption('recipient-in-the-bytes')
  await expectText(page.locator('#lie-hint'), /The call data transfers to a stranger/)
  await ask.click()
  await expectText(page.locator('#verdict'), /^Refused\. The bytes to sign name another recipient\./)
  assert(await sign.isDisabled())
  await expectText(page.locator('#sign-hint'), /There is nothing to sign\./)

  // A bundler that lies: the operation is taken, and the answer is an error. The receipt tells the truth.
  await page.getByLabel('Have it lie').selectOption('refused-and-done')
  await ask.click()
  await expectText(page.locator('#verdict'), /^Verified/)
  await sign.click()
  await expectText(steps, /The transfer is made\./, 30_000)
  await expectText(steps, /The bundler says: /)
  await expectText(wallet, /498 USDC on eip155:137/)
  await look('23-pocket-lie')

  // More than there is fails on its chain.
  await page.getByLabel('Have it lie').selectOption('')
  await type(page, 'Amount', '999000000')
  await ask.click()
  await sign.click()
  await expectText(steps, /The call failed, and nothing moved\./, 30_000)
  await expectText(wallet, /498 USDC on eip155:137/)

  // An example of each type is of what the user has. The limit's window has ended by then.
  await page.waitForTimeout(10_000)
  for (const [intent, headline] of [['TOKEN_TRANSFER', /^1 USDC goes/], ['NFT_TRANSFER', /^NFT 56 goes/], ['RAW_TRANSACTION', /./]]) {
    await page.getByLabel('Type of transfer').selectOption(intent)
    await page.getByRole('button', { name: 'Fill in an example' }).click()
    await ask.click()
    await expectText(page.locator('#verdict'), /^Verified/)
    await expectText(page.locator('h1'), headline)
    await sign.click()
    await expectText(steps, /The transfer is made\./, 30_000)
  }
  await look('24-pocket-examples')

  await page.getByLabel('Answers come from').selectOption('page')
  assert(await page.locator('#pocket').isHidden())
  await ask.click()
  await expectText(page.locator('#verdict'), /^Verified/)
}
