import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)

/** The package once more, with a core of its own that this backend answers for. */
export function fresh(backend) {
  process.env.SENDOFF_BACKEND = backend
  for (const file of Object.keys(require.cache)) if (file.endsWith('.cjs')) delete require.cache[file]
  const [sendoff, text, sign] = ['sendoff', 'sendoff/text', 'sendoff/sign'].map(require)
  // Chosen once, while the environment says so.
  for (const entry of [sendoff, sign]) entry.backend()
  return { ...sendoff, text, sign }
}
