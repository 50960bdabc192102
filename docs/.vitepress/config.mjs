import { cpSync, readdirSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitepress'

const at = (path) => fileURLToPath(new URL(path, import.meta.url))

/** The pages of the sidebar: their names and addresses, by section. */
const PAGES = {
  Start: {
    'What it is, and install': '/guide',
    Pages: '/start/web',
    Node: '/start/node',
    Rust: '/start/rust',
    Operators: '/start/gateway',
  },
  Guides: {
    'Verify before you sign': '/verify',
    'Retry, replace, start again': '/retries',
    'Words that people read': '/words',
    'Living with limits': '/limits',
    Hosts: '/hosts',
    'Operate the gateway': '/operate',
    'The pocket service': '/sandbox',
    'Tests against lies': '/testing',
    'Moving from viem and zod': '/moving',
    'What is left open': '/decisions',
  },
  Tables: {
    'The specification': '/reference/tables/specification',
    'Ways around verification': '/reference/tables/bypass',
    'Refusals of bundlers': '/reference/tables/refusals',
    'Requests and lies': '/reference/tables/sandbox',
    'Keys of the gateway': '/reference/tables/gateway',
    'Texts, read differently': '/reference/tables/texts',
    'Where it runs': '/reference/tables/platforms',
    'Times beside others': '/reference/tables/bench',
    Dependencies: '/reference/tables/dependencies',
  },
  Reference: { Functions: '/reference', 'Documents and answers': '/reference/documents' },
}

/** The pages of functions, which `cargo xtask codegen` writes. */
const FUNCTIONS = readdirSync(at('../reference')).filter((file) => file.endsWith('.md')).map((file) => basename(file, '.md')).filter((name) => name !== 'documents').sort()

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
    if (page.relativePath.startsWith('reference/tables/')) Object.assign(page.frontmatter, { aside: false, pageClass: 'wide' })
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
