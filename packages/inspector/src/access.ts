import type { IncomingMessage } from 'node:http'
import { checkSource, isSecretEqual } from '@webhook-receiver/emulator/internal'

/** Why a request is rejected, whatever it asks for. */
export interface AccessFault {
  readonly status: 403 | 415 | 421
  readonly message: string
}

/** A request that may go on: what follows the token in its path, such as `/` or `/api/send`. */
export interface Access {
  readonly path: string
}

/** Lets in who knows the address with its token, from a page of our own: no other web page of this browser. */
export function checkAccess(req: IncomingMessage, rightToken: string): Access | AccessFault {
  const { headers, method } = req
  const fault = checkSource(req, { host: '127.0.0.1' })
  if (fault?.status === 421) return fault
  const [, token = '', ...rest] = (req.url ?? '').split('?', 1)[0]?.split('/') ?? []
  if (!isSecretEqual(token, rightToken)) {
    return {
      status: 403,
      message: 'The address has no valid token: open the address that the inspector printed.',
    }
  }
  const path = rest.length === 0 ? '' : `/${rest.join('/')}`
  const site = headers['sec-fetch-site']
  const crossSite = site !== undefined && site !== 'same-origin' && site !== 'none'
  if (fault || (crossSite && !isNavigation(req, path))) {
    return { status: 403, message: 'The inspector accepts no request from another web page.' }
  }
  if (method === 'POST' && !/^application\/json\b/.test(headers['content-type'] ?? '')) {
    return { status: 415, message: 'The Content-Type should be application/json.' }
  }
  return { path }
}

/** A link to the page itself, in a chat or a document: it shows the page and does nothing. */
function isNavigation({ method, headers }: IncomingMessage, path: string): boolean {
  const { 'sec-fetch-mode': mode, 'sec-fetch-dest': destination } = headers
  const isPage = method === 'GET' && mode === 'navigate' && destination === 'document'
  return isPage && (path === '/' || path === '')
}
