// Where the documentation is, and where it is published as files.
import { fileURLToPath } from 'node:url'

export const ROOT = fileURLToPath(new URL('../../', import.meta.url))
export const DOCS = fileURLToPath(new URL('../../docs', import.meta.url))
export const REPOSITORY = 'https://github.com/webhook-receiver/webhook-receiver'

/** The path of the site, with a slash at both ends. */
export const BASE = process.env.SITE_BASE ?? '/'
