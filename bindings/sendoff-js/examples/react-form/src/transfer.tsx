import { useState } from 'react'
import { NftForm } from './nft-form.js'
import { Review } from './review.js'
import { TokenForm } from './token-form.js'
import { useTransfer } from './use-transfer.js'

const FORMS = { Tokens: TokenForm, 'An NFT': NftForm }
type FormName = keyof typeof FORMS

/** From a form to a transfer: request an estimate, show the effects of a signature, sign, send, and wait for the receipt. */
export function Transfer() {
  const { question, said, seconds, isBusy, isOpen, start, goOn } = useTransfer()
  const [name, choose] = useState<FormName>('An NFT')
  const Form = FORMS[name]
  const waiting = seconds > 0 && `Wait ${seconds} ${seconds === 1 ? 'second' : 'seconds'}`
  return (
    <>
      <h1>Send</h1>
      <div className="kinds" role="group" aria-label="What to send">
        {(Object.keys(FORMS) as FormName[]).map((each) => (
          <button key={each} type="button" aria-pressed={each === name} disabled={isBusy || isOpen} onClick={() => choose(each)}>{each}</button>
        ))}
      </div>
      <Form submit={start} label={waiting || 'Continue'} isDisabled={isBusy || isOpen || seconds > 0} />
      {question && <Review {...question} />}
      {isOpen && !isBusy && <button type="button" onClick={goOn}>Look again</button>}
      <p role="status">{said}</p>
    </>
  )
}
