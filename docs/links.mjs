// node links.mjs [folder]: checks that every link of the built site, or of the pages in another folder, has a target, with its anchor,
// and that pages load nothing from other sites. Links to other sites are not followed. They must be well formed, and lead to sites of standards,
// except on pages that cite their sources.

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const site = process.argv[2] ?? fileURLToPath(new URL('../target/docs/site', import.meta.url))
// Pages that cite sources, which are wherever they were published.
const SOURCES = /\/tables\/(bypass|refusals)\.html$/
const ELSEWHERE = ['eips.ethereum.org', 'chainagnostic.org', 'www.rfc-editor.org', 'www.w3.org', 'standardschema.dev', 'json-schema.org', 'mswjs.io', 'nginx.org']

const files = readdirSync(site, { recursive: true }).filter((path) => /\.(html|css)$/.test(path))
const texts = new Map(files.map((path) => [`/${path}`, readFileSync(`${site}/${path}`, 'utf8')]))
const decoded = (text) => text.replaceAll('&amp;', '&').replaceAll('&quot;', '"').replaceAll('&#39;', "'")
const matches = (text, pattern) => Array.from(text.matchAll(pattern), ([, match]) => decoded(match))
const anchors = new Map(Array.from(texts, ([path, text]) => [path, new Set(matches(text, /\sid="([^"]*)"/g))]))

const problems = []
let count = 0
for (const [path, text] of texts) {
  const report = (link, why) => problems.push(`${path}: ${link}: ${why}`)
  const loaded = [...matches(text, /<(?:script|img|source|iframe)[^>]*\ssrc="([^"]*)"/g), ...matches(text, /url\(["']?([^"')]+)/g)]
  const linked = matches(text, /<link[^>]*\shref="([^"]*)"/g)
  for (const link of [...loaded, ...linked]) {
    if (/^(https?:)?\/\//.test(link)) report(link, 'it is loaded from elsewhere')
  }
  for (const link of [...loaded, ...linked, ...matches(text, /<a[^>]*\shref="([^"]*)"/g)]) {
    count += 1
    if (link.startsWith('data:')) continue
    if (!URL.canParse(link, `http://here${path}`)) {
      report(link, 'it is no address')
      continue
    }
    const { host, hash, pathname, protocol } = new URL(link, `http://here${path}`)
    if (host !== 'here') {
      if (!SOURCES.test(path) && (protocol !== 'https:' || !ELSEWHERE.includes(host))) report(link, 'it leads to a site that is not in the list')
      continue
    }
    const target = pathname.endsWith('/') ? `${pathname}index.html` : pathname
    if (!existsSync(site + decodeURIComponent(target))) report(link, 'there is no such file')
    else if (hash && !anchors.get(target)?.has(decodeURIComponent(hash.slice(1)))) report(link, 'the page has no such anchor')
  }
}
for (const problem of problems) console.error(problem)
console.log(`${count} links in ${texts.size} files, ${problems.length} broken`)
process.exitCode = problems.length > 0 || count === 0 ? 1 : 0
