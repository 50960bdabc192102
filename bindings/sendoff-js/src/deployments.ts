// What `import 'sendoff/deployments'` gives.

export { deployments, type PublicDeployment } from './deployments/public.js'
