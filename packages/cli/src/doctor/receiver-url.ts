import type { Address } from '@webhook-receiver/conformance/client'

/** The receiver to examine: where it listens, and what its request line and Host header say. */
export interface ReceiverUrl {
  readonly address: Address
  /** The path with its query. */
  readonly path: string
  readonly authority: string
  /** Whether it is on this machine, by its name or address. */
  readonly loopback: boolean
}

/**
 * Reads the URL of a receiver.
 *
 * @throws TypeError where it is not an http or https URL, or holds a user or a password.
 */
export function readReceiverUrl(text: string, ca?: readonly string[]): ReceiverUrl {
  if (!URL.canParse(text)) throw new TypeError(`${JSON.stringify(text)} is not a URL.`)
  const url = new URL(text)
  const secure = url.protocol === 'https:'
  if (!secure && url.protocol !== 'http:') {
    throw new TypeError(`The URL should start with http:// or https://; got ${url.protocol}//.`)
  }
  if (url.username !== '' || url.password !== '') {
    throw new TypeError('The URL should hold no user name and no password.')
  }
  const host = url.hostname.replace(/^\[|\]$/g, '')
  return {
    address: {
      host,
      port: url.port === '' ? (secure ? 443 : 80) : Number(url.port),
      ...(secure && { tls: { ca } }),
    },
    path: `${url.pathname}${url.search}`,
    authority: url.host,
    loopback: isLoopback(host),
  }
}

function isLoopback(host: string): boolean {
  return host === '::1' || /^(127(\.\d+){3}|(.+\.)?localhost)$/.test(host)
}
