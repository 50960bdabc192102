import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import { useForm } from 'react-hook-form'
import { inWords, NftTransferRequest } from 'sendoff/sign'
import { Field } from './field.js'
import { CHAIN } from './names.js'
import { common, type FormProps } from './request.js'

const defaultValues: NftTransferRequest = {
  ...common,
  type: 'NFT_TRANSFER',
  details: { caip2Id: CHAIN, nftId: '', recipientWalletAddress: '', collectionAddress: '', amount: '1', nftType: 'ERC721' },
}

export function NftForm({ submit, label, isDisabled }: FormProps<NftTransferRequest>) {
  const { register, handleSubmit, formState } = useForm<NftTransferRequest>({
    resolver: standardSchemaResolver(inWords(NftTransferRequest)),
    defaultValues,
    mode: 'onTouched',
  })
  const problems = formState.errors.details
  return (
    <form onSubmit={handleSubmit(submit)} noValidate>
      <Field label="To" field={register('details.recipientWalletAddress')} error={problems?.recipientWalletAddress} />
      <Field label="Collection" field={register('details.collectionAddress')} error={problems?.collectionAddress} />
      <Field label="NFT" field={register('details.nftId')} error={problems?.nftId} />
      <Field label="How many" field={register('details.amount')} error={problems?.amount} />
      <button type="submit" disabled={isDisabled}>{label}</button>
    </form>
  )
}
