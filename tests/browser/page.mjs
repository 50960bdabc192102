import * as index from 'sendoff'
import * as signature from 'sendoff/signature'
import { run } from './suite.mjs'

/** Called by the test: fetches one suite and runs it here. */
globalThis.runSuite = async (address) => run({ ...signature, ...index }, await (await fetch(address)).json())
globalThis.backend = index.backend
