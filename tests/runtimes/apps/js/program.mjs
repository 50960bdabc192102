// For engines that have a way to print and not much else: the report, or the reason why there is none. PASSED is the name of its vectors (large/alone.mjs).
import { vectors } from './vectors.mjs'

let said
try {
  said = JSON.stringify(vectors(PASSED))
} catch (error) {
  said = JSON.stringify({ error: `${error}\n${error.stack}` })
}
if (typeof print === 'function') print(said)
globalThis.said = said
