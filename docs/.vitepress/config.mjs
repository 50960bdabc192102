import { cpSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitepress'

const at = (path) => fileURLToPath(new URL(path, import.meta.url))

export default defineConfig({
  lang: 'en',
  title: 'Sendoff',
  description: 'The transfer, ready to sign',
  outDir: at('../../target/docs/site'),
  cacheDir: at('../../target/docs/cache'),
  buildEnd({ outDir }) {
    // The reference mentions them.
    cpSync(at('../schema'), `${outDir}/schema`, { recursive: true })
    // The playground is the front page.
    cpSync(at('../../target/docs/playground'), outDir, { recursive: true })
  },
  head: [['link', { rel: 'icon', href: 'data:,' }]],
  transformPageData(page) {
    // Four columns of text: the page takes the whole width.
    if (page.relativePath === 'specification.md') Object.assign(page.frontmatter, { aside: false, pageClass: 'wide' })
  },
  markdown: {
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    config(markdown) {
      const { rules } = markdown.renderer
      rules.table_open = () => '<div class="table">\n<table>\n'
      rules.table_close = () => '</table>\n</div>\n'
      // A picture is part of the page, so that it has the colours of the page.
      const { image } = rules
      rules.image = (tokens, at, ...rest) => {
        const file = /\/pictures\/(.+\.svg)$/.exec(tokens[at].attrGet('src'))?.[1]
        return file ? `<span class="picture">${inlined(file)}</span>` : image(tokens, at, ...rest)
      }
      // A column without a name has no header cell, for screen readers.
      markdown.core.ruler.push('empty-header', ({ tokens }) => {
        for (const [at, { type, content }] of tokens.entries()) {
          if (type !== 'inline' || content !== '' || tokens[at - 1].type !== 'th_open') continue
          tokens[at - 1].tag = 'td'
          tokens[at + 1].tag = 'td'
        }
      })
    },
  },
  themeConfig: {
    // The target makes the browser load the front page: it is not a page of the router.
    logoLink: { link: '/index.html', target: '_self' },
    search: { provider: 'local' },
    outline: { level: [2, 3] },
    nav: [
      { text: 'Start', link: '/start/web', activeMatch: '^/start/' },
      { text: 'Verify', link: '/verify' },
      { text: 'Limits', link: '/limits' },
      { text: 'Reference', link: '/reference' },
    ],
    sidebar: [
      {
        text: 'Start',
        items: [
          { text: 'What it is', link: '/guide' },
          { text: 'Whose service', link: '/service' },
          { text: 'Web frontends', link: '/start/web' },
          { text: 'Node backends', link: '/start/node' },
          { text: 'Rust programs', link: '/start/rust' },
          { text: 'The gateway', link: '/start/gateway' },
        ],
      },
      {
        text: 'Guides',
        items: [
          { text: 'Verify before you sign', link: '/verify' },
          { text: 'Retry, replace, start again', link: '/retries' },
          { text: 'When a bundler refuses', link: '/refusals' },
          { text: 'Ways around it', link: '/bypass' },
          { text: 'Living with limits', link: '/limits' },
          { text: 'Under other rate limiters', link: '/middleware' },
          { text: 'Moving from viem, zod', link: '/moving' },
          { text: 'The specification', link: '/specification' },
          { text: 'What is left open', link: '/decisions' },
        ],
      },
      {
        text: 'Tests of your own',
        items: [
          { text: 'MSW', link: '/testing/msw' },
          { text: 'Rendering on the server', link: '/testing/ssr' },
          { text: 'Fake time', link: '/testing/time' },
        ],
      },
      {
        text: 'Evidence',
        items: [
          { text: 'The gateway under fault', link: '/evidence/gateway' },
          { text: 'Path aliases', link: '/evidence/aliases' },
          { text: 'Secrets, constant time', link: '/evidence/secrets' },
          { text: 'Fuzzing, small models', link: '/evidence/fuzzing' },
          { text: 'Ways around verification', link: '/evidence/bypass' },
          { text: 'Mutants', link: '/evidence/mutants' },
          { text: 'Miri and coverage', link: '/evidence/coverage' },
          { text: 'Supply chain, promises', link: '/evidence/supply' },
        ],
      },
      { text: 'Reference', items: [{ text: 'Functions, documents', link: '/reference' }] },
    ],
  },
})

/** A picture without the colours that it has by itself. */
function inlined(file) {
  return readFileSync(at(`../pictures/${basename(file)}`), 'utf8').replace(/<style>[^]*<\/style>/, '').trim()
}
