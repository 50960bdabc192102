import * as sendoff from 'sendoff'
import { run } from './suite.mjs'

/** Called by the test: fetches one suite and runs it here. */
globalThis.runSuite = async (address) => run(sendoff, await (await fetch(address)).json())
globalThis.backend = sendoff.backend
