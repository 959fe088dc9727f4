// Where the documentation is, and where it is published.
import { fileURLToPath } from 'node:url'

export const ROOT = fileURLToPath(new URL('../../', import.meta.url))
export const REPOSITORY = 'https://github.com/webhook-receiver/webhook-receiver'

/** The path of the site, with a slash at both ends. */
export const BASE = process.env.SITE_BASE ?? '/'

/** Where the site is, for the files that are read outside of it. */
export const ORIGIN = process.env.SITE_ORIGIN ?? 'https://webhook-receiver.github.io'

/** What is made while the site is built, and the home page. */
const PAGES = 'packages/site/pages/'

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
