import { crypto } from '#crypto'
import type { Handle } from '../crypto/crypto.ts'
import { readCertificate } from './x509.ts'

/** A certificate ready for use: the key for each version of the signature. */
interface Keys {
  readonly 1: Handle
  readonly 2: Handle
  readonly notBefore: number
  readonly notAfter: number
}

interface Kept {
  readonly keys: Promise<Keys>
  /** When it is asked for again: milliseconds since the epoch. */
  until: number
}

export interface Fetching {
  readonly fetch: typeof fetch
  readonly now: () => number
}

/** So long after a failure the same URL is not tried again. */
const PAUSE = 10_000
const MOST_KEPT = 20
const MOST_WAITING = 5
const MOST_BYTES = 16_384

/**
 * Makes the function that gets the key of a certificate. Whoever can reach the endpoint can name certificates that do not exist:
 * so there is one request at a time, a few may wait for it, and a failure is remembered.
 */
export function certificates({ fetch, now }: Fetching): (url: string) => Promise<Keys> {
  const kept = new Map<string, Kept>()
  let last: Promise<unknown> = Promise.resolve()
  let waiting = 0

  async function load(url: string): Promise<Keys> {
    try {
      const keys = await keysOf(await get(fetch, url))
      if (now() < keys.notBefore || now() > keys.notAfter)
        throw new Error(`${url} is not valid now`)
      return keys
    } finally {
      waiting--
    }
  }

  return (url) => {
    const known = kept.get(url)
    if (known && now() < known.until) return known.keys
    if (waiting >= MOST_WAITING)
      return Promise.reject(new Error('too many certificates were asked for'))
    waiting++
    const keys = last.then(() => load(url))
    const entry: Kept = { keys, until: Number.POSITIVE_INFINITY }
    const keepUntil = (until: number) => {
      entry.until = until
    }
    last = keys.then(
      ({ notAfter }) => keepUntil(notAfter),
      () => keepUntil(now() + PAUSE),
    )
    kept.set(url, entry)
    if (kept.size > MOST_KEPT) {
      // A failure ends first: names that are made up push out no certificate that is in use.
      const [first] = [...kept].sort(([, one], [, two]) => (one.until < two.until ? -1 : 1))
      if (first) kept.delete(first[0])
    }
    return keys
  }
}

/** A GET without redirects, for at most 5 s and 16 KiB. */
export async function get(fetching: typeof fetch, url: string): Promise<string> {
  // Not 'error', which Cloudflare Workers does not know: a redirect has another status than 200.
  const response = await fetching(url, { redirect: 'manual', signal: AbortSignal.timeout(5000) })
  if (response.status !== 200) throw new Error(`${url} responded with ${response.status}`)
  const text = await response.text()
  if (text.length > MOST_BYTES) throw new Error(`${url} is larger than ${MOST_BYTES} bytes`)
  return text
}

async function keysOf(pem: string): Promise<Keys> {
  const { publicKey, notBefore, notAfter } = readCertificate(pem)
  const [sha1, sha256] = await Promise.all([
    crypto.importKey('rsa-sha1', publicKey),
    crypto.importKey('rsa-sha256', publicKey),
  ])
  return { 1: sha1, 2: sha256, notBefore, notAfter }
}
