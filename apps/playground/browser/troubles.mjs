// Failures of requests are explained in words.

import assert from 'node:assert/strict'
import { expectText, type } from './person.mjs'

const ESTIMATE = '**/api/oc/v1/estimate'

export async function walkTroubles(page, look) {
  const trouble = page.locator('#reply-trouble')
  const send = () => page.getByRole('button', { name: 'Ask the service' }).click()

  await page.route(ESTIMATE, (route) => route.abort())
  await send()
  await expectText(trouble, /The gateway cannot be reached/)

  const html = { status: 502, contentType: 'text/html', body: '<h1>Bad Gateway</h1>' }
  await page.route(ESTIMATE, (route) => route.fulfill(html))
  await send()
  await expectText(trouble, /not a reply of the service: HTTP 502, text\/html/)
  await page.unroute(ESTIMATE)

  // An invalid reply is refused too, and then the buttons to change it are hidden.
  await page.route(ESTIMATE, async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, body: (await response.text()).replace('RAW_TRANSACTION', 'NFT_TRANSFER') })
  })
  await send()
  await expectText(page.locator('#verdict'), /^Refused\. The reply is for another kind of transfer\./)
  assert.equal(await page.locator('#hash').count(), 0)
  assert(await page.getByRole('button', { name: 'Swap the recipient', exact: true }).isHidden())
  await page.unroute(ESTIMATE)

  await type(page, 'Access token', 'nobody')
  await expectText(page.locator('#token-state'), /does not accept the access token/)
  await send()
  await expectText(trouble, /does not accept the access token[^]*Code\s+401[^]*Trace\s+\S+/)
  await look('11-unauthorized')

  await type(page, 'Access token', '')
  await send()
  await expectText(trouble, /Code\s+401/)
}
