import { vectors } from './vectors.mjs'

globalThis.onPage = () => vectors('every vector')
