import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)

/** Another copy of the package, with its own core and this backend. */
export function fresh(backend) {
  process.env.SENDOFF_BACKEND = backend
  for (const file of Object.keys(require.cache)) if (file.endsWith('.cjs')) delete require.cache[file]
  const [sendoff, text, sign] = ['sendoff', 'sendoff/text', 'sendoff/sign'].map(require)
  // The backend is chosen once, at the first call.
  for (const entry of [sendoff, sign]) entry.backend()
  return { ...sendoff, text, sign }
}
