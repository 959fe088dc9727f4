import { fromBase64, toBase64 } from './base64.ts'
import type { Header } from './request-text.ts'

/** What an address carries behind `#`, which no browser sends: never a secret. */
export interface Fragment {
  /** The name of a scheme. */
  readonly service: string | undefined
  /** The reason in a line of a log. */
  readonly reason: string | undefined
  readonly request: SharedRequest | undefined
  /** Whether to begin with an example. */
  readonly isExample: boolean
  readonly isDark: boolean
}

export interface SharedRequest {
  readonly headers: readonly Header[]
  readonly body: Uint8Array
  readonly url: string
  /** Milliseconds since the epoch. */
  readonly receivedAt: number | undefined
}

/** Headers that identify somebody, and have no part in a signature. */
const PRIVATE = /^(?:authorization|cookie|proxy-authorization|x-api-key)$/i

/** Reads `stripe/signature_mismatch?request=…`, of which each part may be missing. */
export function readFragment(hash: string): Fragment {
  const [path = '', query = ''] = hash.replace(/^#/, '').split('?')
  const [service = '', reason] = path.split('/').map(decoded)
  const more = new URLSearchParams(query)
  return {
    // A line about no service has the reason alone.
    ...(reason === undefined && service.includes('_')
      ? { service: undefined, reason: service }
      : { service: service || undefined, reason }),
    request: requestIn(more.get('request')),
    isExample: more.has('example'),
    isDark: more.get('theme') === 'dark',
  }
}

/** The fragment of a request, for somebody else to look at; `undefined` where the secret is in the request. */
export function fragmentOf(
  service: string,
  shared: SharedRequest,
  secret: string,
): string | undefined {
  const headers = shared.headers.filter(([name]) => !PRIVATE.test(name))
  const text = JSON.stringify({ ...shared, headers, body: toBase64(shared.body) })
  const said = [...headers.flat(), shared.url, new TextDecoder().decode(shared.body)]
  if (secret !== '' && said.some((part) => part.includes(secret))) return undefined
  const state = toBase64(new TextEncoder().encode(text))
  return `#${encodeURIComponent(service)}?request=${encodeURIComponent(state)}`
}

function requestIn(text: string | null): SharedRequest | undefined {
  if (text === null) return undefined
  try {
    const { headers, body, url, receivedAt } = JSON.parse(
      new TextDecoder().decode(fromBase64(text)),
    )
    const isText = (part: unknown) => typeof part === 'string'
    const isHeader = (pair: unknown) =>
      Array.isArray(pair) && pair.length === 2 && pair.every(isText)
    if (!headers.every(isHeader) || !isText(url)) return undefined
    const time = typeof receivedAt === 'number' ? receivedAt : undefined
    return { headers, body: fromBase64(body), url, receivedAt: time }
  } catch {
    return undefined
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return ''
  }
}
