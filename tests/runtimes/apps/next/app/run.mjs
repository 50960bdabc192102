export { run } from '../../run.mjs'
