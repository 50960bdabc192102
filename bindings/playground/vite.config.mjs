import { readFileSync } from 'node:fs'
import { defineConfig } from 'vite'

const PART = /<!-- part (\w+)(?:: (.*?))? -->/g
const filled = (html, values) => html.replace(/\$(\d)/g, (_, place) => values.split(', ')[place - 1])

export default defineConfig({
  // The page may be served from anywhere: the gateway serves it below /playground/, the documentation as its front page.
  base: './',
  plugins: [parts()],
  build: {
    target: 'es2022',
    // The page's Content-Security-Policy forbids data: addresses.
    assetsInlineLimit: 0,
    // Most of the size is the core.
    chunkSizeWarningLimit: 600,
    rolldownOptions: { input: ['index.html', 'second.html'] },
    modulePreload: { polyfill: false },
  },
})

/**
 * Replaces the comment `part NAME` by the file parts/NAME.html, and `part NAME: FIRST, SECOND` by the file with FIRST and SECOND in
 * place of `$1` and `$2`. With `--mode docs` it adds a link to the documentation.
 */
function parts() {
  let docs = ''
  const read = (name) => readFileSync(new URL(`parts/${name}.html`, import.meta.url), 'utf8').trim()
  return {
    name: 'parts',
    configResolved({ mode }) {
      if (mode === 'docs') docs = '<a href="./guide.html">Docs</a>'
    },
    transformIndexHtml: {
      order: 'pre',
      handler: (html) => html.replace(PART, (_, name, values = '') => filled(read(name), values)).replace('<!-- docs -->', docs),
    },
  }
}
