// Where the documentation is, and where it is published.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

export const ROOT = fileURLToPath(new URL('../../', import.meta.url))

/** The text of a file of the repository. */
export function read(file) {
  return readFileSync(ROOT + file, 'utf8')
}

// As packages/core/src/reject/addresses.ts has them; the site is built without the packages.
const manifest = JSON.parse(read('package.json'))
export const SITE = manifest.homepage
export const REPOSITORY = manifest.repository.url.replace(/^git\+|\.git$/g, '')

/** The address of the site in two parts, the path with a slash at both ends. */
export const { origin: ORIGIN, pathname: BASE } = new URL(`${SITE}/`)

/** What is made while the site is built, and the home page. */
const PAGES = 'workshop/site/pages/'

/** The file of the site that a Markdown file of the repository becomes; undefined for one that is not part of the site. */
export function fileOnSite(file) {
  // Its sections are pages.
  if (file === 'docs/start.md') return 'start/express.md'
  if (file.startsWith(PAGES)) return file.slice(PAGES.length)
  if (file.startsWith('docs/')) {
    return file.slice('docs/'.length).replace(/(^|\/)README\.md$/, '$1index.md')
  }
  if (file === 'SECURITY.md') return 'security.md'
  return /^packages\/([^/]+)\/README\.md$/.test(file)
    ? file.replace(/\/README\.md$/, '.md')
    : undefined
}
