// For engines that have a way to print and not much else: the report, or the reason that prevents it.
import { vectors } from './vectors.mjs'

let said
try {
  said = JSON.stringify(vectors())
} catch (error) {
  said = JSON.stringify({ error: `${error}\n${error.stack}` })
}
if (typeof print === 'function') print(said)
globalThis.said = said
