import { readFileSync } from 'node:fs'
import { defineConfig } from 'vite'
import { pages } from './pages.mjs'

const PART = /<!-- part (\w+)(?:: (.*?))? -->/g
const filled = (html, values) => html.replace(/\$(\d)/g, (_, place) => values.split(', ')[place - 1])

export default defineConfig(({ mode }) => ({
  // The page may be served from anywhere: the gateway serves it below /playground/, the documentation as its front page.
  base: './',
  plugins: [parts()],
  build: {
    target: 'es2022',
    // The page's Content-Security-Policy forbids data: addresses.
    assetsInlineLimit: 0,
    // Most of the size is the core.
    chunkSizeWarningLimit: 600,
    // The dashboard is a page of a gateway; the documentation has none.
    rolldownOptions: { input: ['index.html', 'second.html', ...(mode === 'docs' ? [] : ['dashboard.html'])] },
    modulePreload: { polyfill: false },
  },
}))

/**
 * Replaces the comment `part NAME` by the file parts/NAME.html, and `part NAME: FIRST, SECOND` by the file with FIRST and SECOND in
 * place of `$1` and `$2`. Writes the pages of the package and of the documentation; with `--mode docs` the site of the documentation
 * is around these pages, so its pages are not written.
 */
function parts() {
  let guide = './docs/guide.html'
  const read = (name) => readFileSync(new URL(`parts/${name}.html`, import.meta.url), 'utf8').trim()
  const part = (html) => html.replace(PART, (_, name, values = '') => part(filled(read(name), values)))
  const whole = (html) => part(html).replace('./docs.html', guide)
  return {
    name: 'parts',
    configResolved({ mode }) {
      if (mode === 'docs') guide = './guide.html'
    },
    transformIndexHtml: { order: 'pre', handler: whole },
    generateBundle: {
      order: 'post',
      handler(_, bundle) {
        const style = Object.keys(bundle).find((file) => file.endsWith('.css') && !file.includes('dashboard'))
        const frame = (title, base) => {
          const text = whole(read('text')).replace('$title', title).replace('./src/style.css', `./${style}`).replaceAll('="./', `="${base}`)
          const [before, after] = text.split('$content')
          return { before, after }
        }
        const withDocs = guide.startsWith('./docs/')
        for (const { path, text } of pages(withDocs, frame)) this.emitFile({ type: 'asset', fileName: path, source: text })
      },
    },
  }
}
