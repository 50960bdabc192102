import type { Signable } from 'sendoff/sign'

interface Props {
  readonly signable: Signable
  readonly answer: (agrees: boolean) => void
}

/** The effects of a signature, before it is made. */
export function Review({ signable: { account, warnings }, answer }: Props) {
  return (
    <section aria-label="What you sign">
      {account.call.sentences.map((sentence) => <p key={sentence}>{sentence}</p>)}
      {warnings.map(({ code, path, message }) => <p key={`${code} ${path}`} className="problem">{message}</p>)}
      <p>{account.operation.sentence}</p>
      <button type="button" onClick={() => answer(true)}>Sign and send</button>
      <button type="button" onClick={() => answer(false)}>Do not sign</button>
    </section>
  )
}
