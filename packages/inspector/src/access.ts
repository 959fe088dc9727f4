import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

/** Why a request is refused, whatever it asks for. */
export interface AccessFault {
  readonly status: 403 | 404 | 415 | 421
  readonly message: string
}

export interface AccessRules {
  readonly token: string
  /** Where the page is mounted: '' or a path such as '/webhooks-inspector'. */
  readonly basePath: string
  /** Names that Host may have besides those of this machine. */
  readonly allowedHosts: readonly string[]
}

/** A request that may go on: what follows the token in its path, such as `/` or `/api/send`. */
export interface Access {
  readonly path: string
}

/**
 * Lets in who knows the address with its token, from a page of our own: no other web page of this browser, neither by DNS
 * rebinding (`Host`) nor by a cross-site request (`Origin`, `Sec-Fetch-Site`).
 */
export function checkAccess(req: IncomingMessage, rules: AccessRules): Access | AccessFault {
  const { headers, socket, method } = req
  const host = headers.host ?? ''
  if (!isAllowedHost(host, socket.localPort, rules.allowedHosts)) {
    return {
      status: 421,
      message: 'The inspector does not serve this host: use 127.0.0.1 or localhost.',
    }
  }
  const [path = ''] = (req.url ?? '').split('?')
  if (!path.startsWith(`${rules.basePath}/`)) return { status: 404, message: 'Not found.' }
  const [, token = '', ...rest] = path.slice(rules.basePath.length).split('/')
  if (!isEqual(token, rules.token)) {
    return {
      status: 403,
      message: 'The address has no valid token: open the address that the inspector printed.',
    }
  }
  const access = { path: rest.length === 0 ? '' : `/${rest.join('/')}` }
  const { origin, 'sec-fetch-site': site } = headers
  const foreign =
    origin !== undefined && origin !== `http://${host}` && origin !== `https://${host}`
  const crossSite = site !== undefined && site !== 'same-origin' && site !== 'none'
  if (foreign || (crossSite && !isNavigation(req, access))) {
    return { status: 403, message: 'The inspector accepts no request from another web page.' }
  }
  if (method === 'POST' && !/^application\/json\b/.test(headers['content-type'] ?? '')) {
    return { status: 415, message: 'The Content-Type should be application/json.' }
  }
  return access
}

/** A link to the page itself, in a chat or a document: it shows the page and does nothing. */
function isNavigation({ method, headers }: IncomingMessage, { path }: Access): boolean {
  const { 'sec-fetch-mode': mode, 'sec-fetch-dest': destination } = headers
  return (
    method === 'GET' &&
    mode === 'navigate' &&
    destination === 'document' &&
    (path === '/' || path === '')
  )
}

function isAllowedHost(
  host: string,
  port: number | undefined,
  allowedHosts: readonly string[],
): boolean {
  const [, name = '', given = '80'] = /^(\[[\da-f:.]+\]|[\w.-]+)(?::(\d+))?$/i.exec(host) ?? []
  const lower = name.toLowerCase()
  if (allowedHosts.includes(lower) || allowedHosts.includes(host.toLowerCase())) return true
  const loopback = lower === 'localhost' || lower === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(lower)
  return loopback && Number(given) === port
}

/** Compares digests, so that neither the time nor the length tells anything. */
function isEqual(given: string, right: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(given), digest(right))
}
