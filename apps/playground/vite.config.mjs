import { readFileSync } from 'node:fs'
import { defineConfig } from 'vite'

const part = (name) => readFileSync(new URL(`parts/${name}.html`, import.meta.url), 'utf8').trim()

export default defineConfig(({ mode }) => {
  // With `--mode docs` it is the front page of the documentation's site, which has its pages beside it, and no dashboard.
  const isSite = mode === 'docs'
  const docs = isSite ? '<a href="./guide.html">Docs</a>' : ''
  /** Replaces the comment `part NAME` by the file parts/NAME.html. */
  const whole = (html) => html.replace(/<!-- part (head|top) -->/g, (_, name) => part(name)).replace('<!-- part docs -->', docs)
  return {
    // The page may be served from anywhere: the gateway serves it below /playground/.
    base: './',
    plugins: [{ name: 'parts', transformIndexHtml: { order: 'pre', handler: whole } }],
    build: {
      target: 'es2022',
      // The page's Content-Security-Policy forbids data: addresses.
      assetsInlineLimit: 0,
      // Most of the size is the core and the pocket service.
      chunkSizeWarningLimit: 1300,
      rolldownOptions: { input: ['index.html', 'second.html', ...(isSite ? [] : ['dashboard.html'])] },
      modulePreload: { polyfill: false },
    },
  }
})
