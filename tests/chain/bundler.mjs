// The service's part after a signature: sends an operation to the EntryPoint, and returns the receipt of ERC-7769.

import { parseEventLogs, toHex } from 'viem'
import { formatUserOperation, toPackedUserOperation } from 'viem/account-abstraction'

/** Sends an operation. Throws an error with the EntryPoint's `data` if it refuses the operation. */
export async function send(chain, { abi, address }, operation) {
  const ops = [toPackedUserOperation(formatUserOperation(operation))]
  const call = { abi, address, functionName: 'handleOps', args: [ops, chain.account.address], gas: 10_000_000n }
  await chain.simulateContract(call).catch((error) => {
    throw Object.assign(error, { data: error.walk((cause) => 'raw' in cause)?.raw })
  })
  const hash = await chain.writeContract(call)
  await chain.waitForTransactionReceipt({ hash })
  const receipt = await chain.request({ method: 'eth_getTransactionReceipt', params: [hash] })
  const events = parseEventLogs({ abi, logs: receipt.logs })
  const argsOf = (name) => events.find(({ eventName }) => eventName === name)?.args
  const { userOpHash, sender, paymaster, nonce, success, actualGasCost, actualGasUsed } = argsOf('UserOperationEvent')
  return {
    userOpHash,
    entryPoint: address,
    sender,
    nonce: toHex(nonce),
    paymaster,
    actualGasCost: toHex(actualGasCost),
    actualGasUsed: toHex(actualGasUsed),
    success,
    reason: argsOf('UserOperationRevertReason')?.revertReason ?? '0x',
    logs: receipt.logs,
    receipt,
  }
}
