import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { assemble, inWords, NftTransferRequest, safeSignable, type Signable } from 'sendoff'
import { formatEther, parseGwei, toHex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { useCountdown } from './countdown.js'
// The known deployment of the service. A JSON file has the right type.
import deployment from './deployment.json'
import { Field } from './field.js'
import { post } from './service.js'

const defaultValues: NftTransferRequest = {
  type: 'NFT_TRANSFER',
  jobId: crypto.randomUUID(),
  gasDetails: { maxFeePerGas: toHex(parseGwei('2.5')), maxPriorityFeePerGas: toHex(parseGwei('1.5')) },
  paymasterData: '0x00',
  details: {
    caip2Id: 'eip155:80002',
    nftId: '',
    recipientWalletAddress: '',
    collectionAddress: '',
    amount: '1',
    nftType: 'ERC721',
  },
}

/** A key for this visit. In your page it is the user's wallet. */
const account = privateKeyToAccount(generatePrivateKey())

/** From a form to a transfer: request an estimate, show the effect of a signature, sign and send. */
export function Transfer() {
  const { register, handleSubmit, formState } = useForm<NftTransferRequest>({
    resolver: standardSchemaResolver(inWords(NftTransferRequest)),
    defaultValues,
    mode: 'onTouched',
  })
  const problems = formState.errors.details
  const [toSign, setToSign] = useState<Signable>()
  const [said, setSaid] = useState('')
  const [seconds, wait] = useCountdown()

  const prepare = handleSubmit(async (request) => {
    setToSign(undefined)
    const { reply, text, retryAfter } = await post('estimate', request)
    wait(retryAfter)
    if (reply.status === 'error') return setSaid(reply.message)
    const result = safeSignable(request, text, deployment)
    if (!result.ok) return setSaid(`Do not sign. ${result.issues.map(({ message }) => message).join('; ')}`)
    setSaid('')
    setToSign(result.value)
  })

  const send = async ({ hash, operation }: Signable) => {
    const signature = await account.signMessage({ message: { raw: hash } })
    const { reply, retryAfter } = await post('transferNft', assemble(operation, signature))
    wait(retryAfter)
    if (reply.status === 'error') return setSaid(reply.message)
    setToSign(undefined)
    setSaid('Sent.')
  }

  const waiting = seconds > 0 && `Wait ${seconds} ${seconds === 1 ? 'second' : 'seconds'}`
  return (
    <>
      <h1>Send an NFT</h1>
      <form onSubmit={prepare} noValidate>
        <Field label="To" field={register('details.recipientWalletAddress')} error={problems?.recipientWalletAddress} />
        <Field label="Collection" field={register('details.collectionAddress')} error={problems?.collectionAddress} />
        <Field label="NFT" field={register('details.nftId')} error={problems?.nftId} />
        <Field label="How many" field={register('details.amount')} error={problems?.amount} />
        <button type="submit" disabled={seconds > 0 || formState.isSubmitting}>{waiting || 'Continue'}</button>
      </form>
      {toSign && (
        <section aria-label="What you sign">
          {toSign.account.call.sentences.map((sentence) => <p key={sentence}>{sentence}</p>)}
          {toSign.warnings.map(({ code, message }) => <p key={code} className="problem">{message}</p>)}
          <p>It costs at most {formatEther(BigInt(toSign.account.operation.maxCost))} POL.</p>
          <button type="button" disabled={seconds > 0} onClick={() => send(toSign)}>{waiting || 'Sign and send'}</button>
        </section>
      )}
      <p role="status">{said}</p>
    </>
  )
}
