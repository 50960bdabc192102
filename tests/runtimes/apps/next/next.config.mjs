import { fileURLToPath } from 'node:url'

// Next itself is installed outside this application.
export default { turbopack: { root: fileURLToPath(new URL('../../../..', import.meta.url)) } }
