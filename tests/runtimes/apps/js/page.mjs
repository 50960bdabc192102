import { vectors } from './vectors.mjs'

globalThis.onPage = vectors
