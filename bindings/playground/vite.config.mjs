import { readFileSync } from 'node:fs'
import { defineConfig } from 'vite'

export default defineConfig({
  // The page may be served from anywhere: the gateway serves it below /playground/, the documentation as its front page.
  base: './',
  plugins: [parts()],
  build: {
    target: 'es2022',
    // A data: address would need a hole in the page's policy.
    assetsInlineLimit: 0,
    // The core in the page is most of it.
    chunkSizeWarningLimit: 600,
    rolldownOptions: { input: ['index.html', 'second.html'] },
    modulePreload: { polyfill: false },
  },
})

/** Puts the files of parts/ in place of their comments, and with `--mode docs` a link to the documentation. */
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
      handler: (html) => html.replace(/<!-- part (\w+) -->/g, (_, name) => read(name)).replace('<!-- docs -->', docs),
    },
  }
}
