// Programs that the types accept and refuse. This file is compiled, not run.

import type { StandardJSONSchemaV1, StandardSchemaV1 } from '@standard-schema/spec'
import * as sendoff from 'sendoff'
import * as sign from 'sendoff/sign'
import * as text from 'sendoff/text'
import { flow, type FlowOutcome, type Program, type Transfer } from 'sendoff/flow'
import type { EstimateRequest, Facts, Hex, UserOp } from 'sendoff'
import * as signatures from 'sendoff/signature'

const address = '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed'
declare const request: EstimateRequest
declare const facts: Facts
declare const where: sendoff.Deployment

// An answer is the argument of the next call.
const { userOps } = sendoff.estimate(request, JSON.stringify(facts)).data
const op: UserOp = { ...userOps, signature: '0x' }
const hash: Hex = sendoff.userOpHash(op, where)
sendoff.maxCost(userOps)
const { account } = sendoff.signable(request, { anything: true }, where)
for (const move of account.call.moves) if (move.kind === 'nft') move.standard === 'ERC721'

const limiter = new sendoff.RateLimiter({ limit: 1500, windowMs: 300_000 })
limiter.admit('key', Date.now()) satisfies sendoff.Verdict
limiter.restore(limiter.snapshot())
// @ts-expect-error a snapshot is read-only
limiter.snapshot()[0][1] = 5

// The kind of a text determines its meaning.
sendoff.readText('quantity', '0x1').decimal satisfies string
// @ts-expect-error the kind is unknown
sendoff.readText('number', '1')

// A twin has the types of its function, including the kind of a text.
const result = sendoff.safeReadText('quantity', '0x1')
if (result.ok) result.value.decimal satisfies string
else result.issues satisfies readonly sendoff.Issue[]
// An issue about the call data names its field, and has both values.
if (!result.ok) for (const { field, expected, found } of result.issues) [field, expected, found] satisfies unknown[]
// @ts-expect-error a result has a value only if it is ok
result.value
sendoff.safeAdmit({ limit: 1, windowMs: 1000 }, null, 0, 1) satisfies sendoff.Result<sendoff.Admission>
// @ts-expect-error the kind is unknown
sendoff.safeReadText('number', '1')

// A schema and the type of its document share a name, and other libraries infer the type from the schema.
sendoff.EstimateRequest satisfies StandardSchemaV1<EstimateRequest>
sendoff.EstimateRequest satisfies StandardJSONSchemaV1<EstimateRequest>
const parsed = sendoff.EstimateRequest['~standard'].validate({})
if (!parsed.issues) parsed.value satisfies EstimateRequest
type Inferred = StandardSchemaV1.InferOutput<typeof sendoff.UserOp>
const inferred: Inferred = op
sendoff.checkDocument('Facts', facts)
// A form has one intent, so its fields have one type. An issue has the expected and the found value.
type Form = StandardSchemaV1.InferInput<typeof sendoff.NftTransferRequest>
const typed: Form['details']['recipientWalletAddress'] = 'any text'
const [problem] = sendoff.NftTransferRequest['~standard'].validate(typed).issues ?? []
problem?.code satisfies sendoff.IssueCode | 'empty' | undefined
const words = sendoff.inWords(sendoff.NftTransferRequest, { ...sendoff.messages, any: '…' })
words satisfies StandardSchemaV1<sendoff.NftTransferRequest>
sign.inWords(sign.TokenTransferRequest, (keys, { code }) => (code === 'empty' ? keys[0] : undefined))
// @ts-expect-error the kind is unknown
sendoff.checkDocument('Reply', {})

// After a signature.
const signed: sendoff.SignedUserOp = sendoff.assemble(userOps, '0x11')
// @ts-expect-error an operation to sign has no signature
sendoff.assemble({ ...userOps, factory: address }, '0x11')
const receipt: sendoff.UserOpOutcome = sendoff.readReceipt(hash, {})
if (receipt.outcome === 'failed') receipt.reason?.inner?.text
const { state, verdict: may } = sendoff.submission(null, { type: 'sent', jobId: request.jobId, hash })
sendoff.submission(state, { type: 'brokenOff' })
if (may === 'mayBeSent') state.phase
const check = signatures.checkSignature(hash, '0x11', address)
if (!check.ok) check.reason
const failed: sendoff.Result<sendoff.SignatureCall> = signatures.safeSignatureCall(hash, '0x11', address)
if (!failed.ok && signatures.SendoffError.is(failed)) failed satisfies sendoff.SendoffError

function issues(error: unknown): readonly sendoff.Issue[] {
  return sendoff.SendoffError.is(error) ? error.issues : []
}

export { hash, inferred, issues, signed }

// The entry for signing has the types of the main entry, and fewer functions. The entry for text has text.
sign.signable(request, {}, where) satisfies sendoff.Signable
sign.Deployment satisfies StandardSchemaV1<sign.Deployment>
// @ts-expect-error the entry for signing has no estimate
sign.estimate(request, facts)
text.estimate('{}', '{}') satisfies string
text.safeAdmit('{}', 'null', '0') satisfies sendoff.Result<string>
// @ts-expect-error a number is JSON text
text.touch('{}', 'null', 0)

// An outcome narrows its fields, and `undefined` is allowed where a field may be absent.
declare const program: Program
declare const some: { names: sendoff.Names | undefined; validUntil: Transfer['validUntil']; rounds: number | undefined; replace: boolean | undefined }
const ended: FlowOutcome = await flow({ ...program, nonce: undefined, raise: undefined }, { request, deployment: where, ...some })
if (ended.outcome === 'succeeded' || ended.outcome === 'failed') {
  ended.receipt.actualGasCost satisfies string | undefined
  ended.by satisfies 'node' | 'bundler'
}
if (ended.outcome === 'failed') ended.receipt.reason?.kind
if (ended.outcome === 'executed') ended.success satisfies boolean | undefined
if (ended.outcome === 'refused') ended.issues satisfies readonly sendoff.Issue[]
if (ended.outcome === 'open') [ended.issues?.length, ended.refusal?.reason, ended.unread?.[0], ended.cause]
// @ts-expect-error only what was executed has a receipt
ended.receipt
