import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitepress'

const at = (path) => fileURLToPath(new URL(path, import.meta.url))

export default defineConfig({
  lang: 'en',
  title: 'Sendoff',
  description: 'The transfer, ready to sign',
  outDir: at('../../target/docs/site'),
  cacheDir: at('../../target/docs/cache'),
  // The page is written by `cargo xtask codegen`.
  ignoreDeadLinks: existsSync(at('../reference.md')) ? false : [/^\/reference$/],
  head: [['link', { rel: 'icon', href: 'data:,' }]],
  markdown: {
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    config(markdown) {
      // What is wider than a screen is scrolled, by those who have only a keyboard too.
      const { rules } = markdown.renderer
      rules.table_open = () => '<div class="table" tabindex="0" role="region" aria-label="Table">\n<table>\n'
      rules.table_close = () => '</table>\n</div>\n'
    },
  },
  themeConfig: {
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
          { text: 'What it is', link: '/' },
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
          { text: 'Living with limits', link: '/limits' },
          { text: 'Moving from viem and zod', link: '/moving' },
          { text: 'What is left open', link: '/decisions' },
        ],
      },
      { text: 'Reference', items: [{ text: 'Documents and functions', link: '/reference' }] },
    ],
  },
})
