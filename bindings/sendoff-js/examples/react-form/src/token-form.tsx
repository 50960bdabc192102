import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import { useForm } from 'react-hook-form'
import { inTokens, inWords, TokenTransferRequest } from 'sendoff/sign'
import { Field } from './field.js'
import { CHAIN, decimalsOf, TOKENS } from './names.js'
import { common, type FormProps } from './request.js'

const defaultValues: TokenTransferRequest = {
  ...common,
  type: 'TOKEN_TRANSFER',
  details: { caip2Id: CHAIN, recipientWalletAddress: '', tokenAddress: '', amount: '' },
}

/** The field has the amount in tokens. It is converted when the form is submitted, with the decimals of the token chosen then. */
const schema = inWords(inTokens(TokenTransferRequest, decimalsOf))

export function TokenForm({ submit, label, isDisabled }: FormProps<TokenTransferRequest>) {
  const { register, handleSubmit, formState } = useForm<TokenTransferRequest>({
    resolver: standardSchemaResolver(schema),
    defaultValues,
    mode: 'onTouched',
  })
  const problems = formState.errors.details
  return (
    <form onSubmit={handleSubmit(submit)} noValidate>
      <Field label="To" field={register('details.recipientWalletAddress')} error={problems?.recipientWalletAddress} />
      <div className="field">
        <label htmlFor="token">Token</label>
        <select id="token" {...register('details.tokenAddress')}>
          {TOKENS.map(({ tokenAddress, symbol }) => <option key={symbol} value={tokenAddress}>{symbol}</option>)}
        </select>
      </div>
      <Field label="Amount" field={register('details.amount')} error={problems?.amount} />
      <button type="submit" disabled={isDisabled}>{label}</button>
    </form>
  )
}
