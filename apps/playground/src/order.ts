// An order of version 1: the service signs and sends, and its word is all that a caller gets.

import type { TokenTransferRequest } from 'sendoff'
import { deployment, request } from './documents.js'
import { refuse } from './form.js'
import { code } from './hex.js'
import { networkOf } from './networks.js'
import { sentence } from './notice.js'
import { prose, the } from './page.js'
import { begin, judgeLie, pocket } from './pocket.js'
import { problems } from './problems.js'
import { call, type Answer } from './service.js'
import { alone } from './transfer.js'
import { inUnits } from './units.js'

/** How often the state is asked for, and the milliseconds between. */
const [QUESTIONS, PAUSE] = [20, 500]
const ENDS = ['SUCCESS', 'FAILED', 'REJECTED']

/** Connects the button. */
export function followOrder(): void {
  the('order').addEventListener('click', () => void alone(makeOrder))
}

async function makeOrder() {
  const issues = problems('', request(), deployment())
  if (issues.length) return refuse(issues)
  const step = begin()
  const { details }: TokenTransferRequest = JSON.parse(request())
  const { sandbox } = await pocket()
  const state = sandbox.state()
  const token = state.ledger.tokens.find(({ caip2Id, address }) => caip2Id === details.caip2Id && address === details.tokenAddress.toLowerCase())
  const { decimals, symbol } = token ?? { decimals: 0, symbol: 'units' }

  const quantity = inUnits(details.amount, decimals)
  step(`Ordered, with nothing to verify and nothing to sign: ${quantity} ${symbol} to `, code(details.recipientWalletAddress), '.')
  const body = {
    network_name: networkOf(details.caip2Id) ?? details.caip2Id,
    token_address: details.tokenAddress,
    quantity: quantity.replaceAll(',', ''),
    recipient_address: details.recipientWalletAddress,
  }
  const answer = await call('transferTokens', JSON.stringify(body))
  const id = dataOf<{ orderId?: string }>(answer)?.orderId
  let status = id ? '' : (troubleOf(answer) ?? 'The reply names no order.')
  if (!id) step(...prose(status))
  for (let asked = 0; id && asked < QUESTIONS && !ENDS.includes(status); asked += 1) {
    if (asked) await new Promise((resolve) => setTimeout(resolve, PAUSE))
    const answer = await call('orders', null, `?order_id=${id}`)
    const order = dataOf<{ jobs?: readonly { order_id: string; status: string }[] | null }>(answer)?.jobs?.find((job) => job.order_id === id)
    const said = order?.status ?? troubleOf(answer) ?? 'The list does not have the order.'
    if (said !== status) step(...prose(order ? `The order is \`${said}\`.` : said))
    status = said
  }

  const isSure = ENDS.includes(status)
  const isRefused = 'reply' in answer && answer.reply.status === 'error' && answer.reply.code < 500
  if (!isSure && !isRefused) step('It is not settled: look at the wallet before you order again.')
  const made = sandbox.state().orders.slice(state.orders.length).filter((order) => order.status === 'SUCCESS').length
  const isDeceived = isSure && made !== (status === 'SUCCESS' ? 1 : 0)
  const says = isSure ? `The service says \`${status}\`, and an order has no receipt for Sendoff to check.` : 'The page does not know how the order ended.'
  judgeLie(isDeceived, `${says} In the ledger the transfer was ${['not made', 'made once', 'made twice'][made]}.`)
}

/** The data of a reply; `undefined` without one. */
function dataOf<T>(answer: Answer): T | undefined {
  return 'reply' in answer && answer.reply.status === 'success' ? ((answer.reply.data as T | null) ?? undefined) : undefined
}

/** Why there is no data. */
function troubleOf(answer: Answer): string | undefined {
  if ('trouble' in answer) return answer.trouble
  return answer.reply.status === 'error' ? sentence(answer.reply) : undefined
}
