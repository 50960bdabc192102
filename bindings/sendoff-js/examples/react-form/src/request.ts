import { parseGwei, toHex } from 'viem'

/** The parts of a request that no field of a form has. Each transfer gets a job of its own. */
export const common = {
  jobId: '00000000-0000-4000-8000-000000000000',
  gasDetails: { maxFeePerGas: toHex(parseGwei('2.5')), maxPriorityFeePerGas: toHex(parseGwei('1.5')) },
  paymasterData: '0x00',
}

/** What a form of a transfer needs. */
export interface FormProps<Request> {
  readonly submit: (request: Request) => void
  readonly label: string
  readonly isDisabled: boolean
}
