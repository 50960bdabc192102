// The documentation as plain pages beside the playground, for a server that has not the site of the documentation: the guides, the
// reference, and the README of the package.

import { readdirSync, readFileSync } from 'node:fs'
import { dirname, posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Marked } from 'marked'

const root = fileURLToPath(new URL('../..', import.meta.url))
const read = (path) => readFileSync(root + path, 'utf8')

/** The folders of the documentation. */
const FOLDERS = ['', 'start/', 'reference/', 'reference/tables/']
/** Files that pages link to. */
const SCHEMAS = ['docs/schema/admin.json', 'docs/schema/openapi.json', 'docs/schema/sendoff.schema.json']
/** The README, whose page is beside the playground. */
const PACKAGE = 'bindings/sendoff-js/README.md'

/** The Markdown files by the paths of their pages. */
function sources(withDocs) {
  const guides = FOLDERS.flatMap((folder) => readdirSync(`${root}docs/${folder}`).map((name) => folder + name))
  const docs = guides.filter((path) => path.endsWith('.md')).map((path) => [`docs/${path.replace(/md$/, 'html')}`, `docs/${path}`])
  return new Map([['package.html', PACKAGE], ...(withDocs ? docs : [])])
}

/** The pages and files: `{path, text}`. `frame(title, base)` returns what is around the text of a page. */
export function pages(withDocs, frame) {
  const all = sources(withDocs)
  const files = withDocs ? SCHEMAS.map((path) => ({ path, text: read(path) })) : []
  for (const [path, source] of all) {
    const base = '../'.repeat(path.split('/').length - 1)
    const [title, content] = page(path, source, all)
    const { before, after } = frame(title, base || './')
    files.push({ path, text: before + content + after })
  }
  return files
}

/** The title and the text of a page. */
function page(path, source, all) {
  const folder = dirname(source)
  // A line `<<< file` stands for the content of the file, or for its part between `#region` comments.
  const markdown = read(source).replace(/^<<< ([^\s{#]+)(?:#(\w+))?(?:\{(\w+)\})?$/gm, (_, file, region, language) => {
    const text = read(posix.join(folder, file))
    const part = region ? new RegExp(`#region ${region}\\n([^]*?)\\n[^\\n]*#endregion`).exec(text)[1] : text.trimEnd()
    return `\`\`\`${language ?? ''}\n${part}\n\`\`\``
  })
  let title
  const renderer = {
    heading({ tokens, depth, text }) {
      title ??= text
      return `<h${depth} id="${slug(text)}">${this.parser.parseInline(tokens)}</h${depth}>\n`
    },
    link({ href, tokens }) {
      const target = address(href, path, folder, all)
      const text = this.parser.parseInline(tokens)
      return target ? `<a href="${target}">${text}</a>` : text
    },
    // A picture is part of the page, so that it has the colours of the page.
    image({ href }) {
      return `<span class="picture" tabindex="0">${read(posix.join(folder, href)).replace(/<style>[^]*<\/style>/, '').trim()}</span>`
    },
    code({ text }) {
      return `<pre tabindex="0"><code>${escaped(text)}\n</code></pre>\n`
    },
    table(token) {
      const cells = (row, name) => `<tr>${row.map(({ tokens, text }) => {
        // A column without a name has no header cell, for screen readers.
        const cell = name === 'th' && text === '' ? 'td' : name
        return `<${cell}>${this.parser.parseInline(tokens)}</${cell}>`
      }).join('')}</tr>\n`
      const rows = token.rows.map((row) => cells(row, 'td')).join('')
      const head = token.header.some(({ text }) => text) ? `<thead>${cells(token.header, 'th')}</thead>\n` : ''
      return `<div class="table" tabindex="0"><table>\n${head}<tbody>${rows}</tbody>\n</table></div>\n`
    },
  }
  const content = new Marked({ renderer }).parse(markdown)
  return [title, content]
}

/** The address of a link of a page, relative to it; `undefined` if its target is not here. */
function address(href, path, folder, all) {
  if (/^(https:|#)/.test(href)) return href
  const [file, anchor] = href.split('#')
  const target = file === '/package.html' ? PACKAGE : file.startsWith('/') ? `docs${file}` : posix.join(folder, file)
  const known = [...all].find(([, source]) => [target, `${target}.md`].includes(source))?.[0] ?? SCHEMAS.find((schema) => schema === target)
  return known && posix.relative(dirname(path), known) + (anchor ? `#${anchor}` : '')
}

/** The id of a heading, as VitePress makes it. */
function slug(text) {
  const words = text.replaceAll(/[`*]/g, '').toLowerCase().replaceAll(/[\s~`!@#$%^&*()\-_+=[\]{}|\\;:"'“”‘’<>,.?/]+/g, '-')
  return words.replace(/^-+|-+$/g, '').replace(/^(\d)/, '_$1')
}

const escaped = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
