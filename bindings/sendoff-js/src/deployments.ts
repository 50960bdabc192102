// The entry `sendoff/deployments`.

export { deployments, type PublicDeployment } from './deployments/public.js'
