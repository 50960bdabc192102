// The job with the package.
export { estimate, userOpHash } from '../../bindings/sendoff-js/dist/index.mjs'
