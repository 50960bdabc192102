import { useRef, useState } from 'react'
import { inWords, type EstimateRequest, type Signable } from 'sendoff/sign'
import type { FlowOutcome } from 'sendoff/flow'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { useCountdown } from './countdown.js'
// The known deployment of the service. A JSON file has the right type.
import deployment from './deployment.json'
import { type Page, carryOut } from './loop.js'
import { openRequest } from './open-transfer.js'

/** A key for this visit. In your page it is the user's wallet. */
const account = privateKeyToAccount(generatePrivateKey())

/** How often the bundler is asked before the person decides, and how long the page waits between. */
const [QUESTIONS, PAUSE] = [20, 1_000]

/** What the person is asked: to sign this, or not. */
interface Question {
  readonly signable: Signable
  readonly answer: (agrees: boolean) => void
}

/** A transfer from a valid form to the receipt. Each has a job of its own, which its retries share. */
export function useTransfer() {
  const [question, ask] = useState<Question>()
  const [said, say] = useState('')
  const [isOpen, setOpen] = useState(() => openRequest() !== undefined)
  const [isBusy, setBusy] = useState(false)
  const [seconds, wait] = useCountdown()
  const asked = useRef(0)

  const page: Page = {
    deployment,
    show: async (signable) => {
      const agrees = await new Promise<boolean>((answer) => ask({ signable, answer }))
      ask(undefined)
      return agrees
    },
    sign: ({ hash }) => account.signMessage({ message: { raw: hash } }),
    wait: async () => {
      say('Sent. Waiting for the chain.')
      await new Promise((resolve) => setTimeout(resolve, PAUSE))
      return (asked.current += 1) < QUESTIONS
    },
  }

  const transfer = async (request: EstimateRequest) => {
    setBusy(true)
    // What was said of the transfer before.
    say('')
    asked.current = 0
    const result = await carryOut(page, request)
    if (result.outcome === 'unanswered') wait(result.reply?.retryAfter ?? 0)
    setOpen(openRequest() !== undefined)
    say(sentence(result))
    setBusy(false)
  }

  return {
    question,
    said,
    seconds,
    isBusy,
    /** `true` if a transfer was sent and is not settled. */
    isOpen,
    /** Starts a transfer. Its job is new. */
    start: (form: EstimateRequest) => transfer({ ...form, jobId: crypto.randomUUID() }),
    /** Goes on with the transfer that is open. */
    goOn: () => transfer(openRequest()!),
  }
}

function sentence(result: FlowOutcome): string {
  switch (result.outcome) {
    case 'succeeded':
      return 'Done.'
    case 'failed':
      return 'The chain carried it out, and the call failed. The fee was paid.'
    case 'executed':
      return 'The chain carried it out. Look in your wallet for the result.'
    case 'refused':
      return `Do not sign. ${result.issues.map(({ message }) => message).join('; ')}`
    case 'unanswered':
      return result.reply ? inWords(result.reply).message : 'The service does not answer. Try again.'
    case 'declined':
      return 'Nothing was signed.'
    case 'expired':
      return 'It was not carried out, and never will be. You can start again.'
    case 'open':
      return 'It was sent, and is not settled yet.'
    case 'elsewhere':
      return 'Another tab has started a transfer.'
  }
}
