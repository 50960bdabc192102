import { cpSync, readdirSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitepress'

const at = (path) => fileURLToPath(new URL(path, import.meta.url))

/** The pages of the sidebar: their names and addresses, by section. */
const PAGES = {
  Start: {
    'What it is': '/guide',
    'Whose service': '/service',
    'Web frontends': '/start/web',
    'Node backends': '/start/node',
    'Rust programs': '/start/rust',
    'The gateway': '/start/gateway',
  },
  Guides: {
    'Verify before you sign': '/verify',
    'What wallets show': '/digests',
    'Retry, replace, start again': '/retries',
    'When a bundler refuses': '/refusals',
    'Ways around it': '/bypass',
    'Living with limits': '/limits',
    'Under other rate limiters': '/middleware',
    'Operate the gateway': '/operate',
    'Behind Envoy or Kong': '/behind',
    'Moving from viem, zod': '/moving',
    'The specification': '/specification',
    'What is left open': '/decisions',
    Publish: '/publish',
  },
  'Tests of your own': {
    'The pocket service': '/sandbox',
    'A client against lies': '/testing/lies',
    MSW: '/testing/msw',
    'Rendering on the server': '/testing/ssr',
    'Fake time': '/testing/time',
  },
  Evidence: {
    'The gateway under fault': '/evidence/gateway',
    'Path aliases': '/evidence/aliases',
    'Secrets, constant time': '/evidence/secrets',
    'Fuzzing, small models': '/evidence/fuzzing',
    'Ways around verification': '/evidence/bypass',
    Submissions: '/evidence/submission',
    Mutants: '/evidence/mutants',
    'Miri and coverage': '/evidence/coverage',
    'Supply chain, promises': '/evidence/supply',
    'Times of the tests': '/evidence/times',
    'Where it runs, and times': '/evidence/platforms',
  },
  Reference: { Functions: '/reference', 'Documents and answers': '/reference/documents' },
}

/** The pages of functions, which `cargo xtask codegen` writes. */
const FUNCTIONS = readdirSync(at('../reference')).map((file) => basename(file, '.md')).filter((name) => name !== 'documents').sort()

/** Links as VitePress has them. */
const links = (pages) => Object.entries(pages).map(([text, link]) => ({ text, link }))

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
  head: [['link', { rel: 'icon', href: '/icon.svg' }]],
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
    logo: { src: '/icon.svg', alt: '' },
    logoLink: { link: '/index.html', target: '_self' },
    search: { provider: 'local' },
    outline: { level: [2, 3] },
    nav: [
      ...links({ Start: '/start/web', Verify: '/verify', Limits: '/limits', Reference: '/reference' }).map((link) =>
        ['Start', 'Reference'].includes(link.text) ? { ...link, activeMatch: `^/${link.text.toLowerCase()}` } : link,
      ),
      { text: 'Playground', link: '/index.html', target: '_self' },
    ],
    sidebar: {
      '/': Object.entries(PAGES).map(([text, pages]) => ({ text, items: links(pages) })),
      '/reference': [
        { text: 'Reference', items: links(PAGES.Reference) },
        { text: 'Functions', items: FUNCTIONS.map((name) => ({ text: name, link: `/reference/${name}` })) },
      ],
    },
  },
})

/** A picture without the colours that it has by itself. */
function inlined(file) {
  return readFileSync(at(`../pictures/${basename(file)}`), 'utf8').replace(/<style>[^]*<\/style>/, '').trim()
}
