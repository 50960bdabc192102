// One call of `flow`: what the program gave, what the call did, and what it tells with the outcome.

import { kind } from '../argument.js'
import { type Issue, SendoffError } from '../error.js'
import { member, own } from '../own.js'
import type { RefusalNext } from '../types.js'
import type { FlowOutcome, FlowProblems, Program, Transfer, Where } from './types.js'

export interface Call {
  /** The functions of the program and of its store, each bound to its object. */
  readonly program: Functions
  readonly transfer: Transfer
  /** Where operations of this call are executed. */
  readonly where: Where
  readonly rounds: number
  jobId: string
  /** What the last refusal, or the person, asks for. */
  wanted: RefusalNext | undefined
  /** The rounds of questions before that is done, if the person has to sign again. */
  patience: number
  /** The rounds of questions since the last try. */
  asked: number
  /** The tries and the rounds of questions of this call. */
  turns: number
  /** `true` after another operation was prepared because one was refused. */
  hasChanged: boolean
  /** The problems of each function's last answer, the latest at the end. */
  readonly problems: Map<string, FlowProblems>
}

type Functions = Omit<Program, 'store'> & Program['store']

/** Begins a call. Throws what the program got wrong. */
export function begun(program: Program, given: Transfer): Call {
  const transfer = own(given)
  const { request, deployment, rounds = 3, validUntil, replace } = transfer
  const issues: Issue[] = []
  const functions: Record<string, unknown> = own({})
  const take = (name: string, of: object, path = name) => {
    const value = member(of as Record<string, unknown>, name)
    if (typeof value === 'function') functions[name] = value.bind(of)
    else if (value !== undefined || !OPTIONAL.includes(name)) issues.push(unexpected(path, 'a function', value))
  }
  for (const name of [...REQUIRED, ...OPTIONAL]) take(name, program)
  for (const name of ['get', 'swap']) take(name, member(program, 'store') ?? own({}), `store.${name}`)
  if (!Number.isSafeInteger(rounds) || rounds < 1) issues.push(unexpected('transfer.rounds', 'an integer from 1', rounds))
  if (validUntil !== undefined && typeof validUntil !== 'function') issues.push(unexpected('transfer.validUntil', 'a function', validUntil))
  const { jobId } = own(request)
  if (typeof jobId !== 'string') issues.push(unexpected('transfer.request.jobId', 'text', jobId))
  if (issues.length > 0) throw new SendoffError(issues)

  const { entryPoint, chainId } = own(deployment)
  return {
    ...{ program: functions as unknown as Functions, transfer, where: { entryPoint, chainId }, rounds, jobId },
    ...{ wanted: replace ? 'replace' : undefined, patience: 1, asked: 0, turns: 0, hasChanged: false, problems: new Map() },
  }
}

const REQUIRED = ['estimate', 'show', 'sign', 'send', 'receipt', 'wait']
const OPTIONAL = ['nonce', 'raise']

/** What a function of the program resolves to, or the error with which it rejects. */
export type Answered<Value> = { readonly value: Value; readonly cause: undefined } | { readonly value: undefined; readonly cause: unknown }

/** Calls a function of the program. Its problems of an earlier call are over; if it rejects, that is the new one. */
export async function tried<Value>(call: Call, of: string, act: () => Promise<Value> | Value): Promise<Answered<Value>> {
  call.problems.delete(of)
  try {
    return { value: await act(), cause: undefined }
  } catch (cause) {
    note(call, of, { cause })
    return { value: undefined, cause }
  }
}

/** Keeps the problems of an answer with the outcome, in the place of those of the answer before. */
export function note(call: Call, of: string, problems: FlowProblems): void {
  call.problems.delete(of)
  call.problems.set(of, problems)
}

/** An outcome with the problems of the call. */
export function withProblems(call: Call, outcome: FlowOutcome): FlowOutcome {
  const problems = [...call.problems.values()].map(own)
  const issues = problems.flatMap(({ issues = [] }) => issues)
  const others = problems.map(({ issues: _, ...rest }) => rest)
  return Object.assign({ ...outcome }, ...others, issues.length > 0 && { issues })
}

export function unexpected(path: string, expected: string, found: unknown): Issue {
  const isNumber = typeof found === 'number'
  const code = found === undefined ? 'missing' : isNumber ? 'range' : 'type'
  return { path, code, message: `expected ${expected}, found ${found === undefined ? 'nothing' : isNumber ? found : kind(found)}` }
}
