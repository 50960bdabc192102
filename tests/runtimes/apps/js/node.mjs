import { vectors } from './vectors.mjs'

console.log(JSON.stringify(vectors()))
