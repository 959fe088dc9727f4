import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { reachable } from './server.ts'

/** Why a request is rejected, whatever it asks for. */
export interface SourceFault {
  readonly status: 403 | 421
  readonly code: string
  readonly message: string
}

export interface SourceRules {
  /** The address that the server listens on. */
  readonly host: string
  /** Names that Host may have besides those of this machine, each with a port or without. */
  readonly allowedHosts?: readonly string[]
}

/**
 * Checks Host and Origin, so that a web page that is open on this machine gets nowhere: neither by DNS rebinding nor by a
 * cross-site request.
 */
export function checkSource(
  { headers, socket }: IncomingMessage,
  rules: SourceRules,
): SourceFault | undefined {
  const { host = '', origin } = headers
  const authority = readAuthority(host)
  if (authority === undefined || !isAllowed(authority, socket.localPort, rules)) {
    const others = rules.allowedHosts ? ', or allow the name (`allowedHosts`, --allow-host)' : ''
    return {
      status: 421,
      code: 'unknown_host',
      message: `The host ${quoted(host)} is not served: use localhost or 127.0.0.1 with port ${socket.localPort}${others}.`,
    }
  }
  if (origin !== undefined && !isOwnOrigin(origin, host)) {
    return {
      status: 403,
      code: 'foreign_origin',
      message: `Requests from a web page of ${quoted(origin)} are not accepted.`,
    }
  }
  return undefined
}

/** Compares digests, so that neither the time nor the length tells anything. */
export function isSecretEqual(given: string, right: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(given), digest(right))
}

/** Reads `name`, `name:port` or `[IPv6]:port`. The port of plain http is 80 where none is written. */
export function readAuthority(
  text: string,
): { readonly hostname: string; readonly port: number } | undefined {
  if (!/^[^\s/\\?#@]+$/.test(text) || !URL.canParse(`http://${text}`)) return undefined
  const { hostname, port } = new URL(`http://${text}`)
  return { hostname, port: port === '' ? 80 : Number(port) }
}

/** Whether the `hostname` of a URL is a name or an address of this machine. */
export function isLoopback(hostname: string): boolean {
  return /^(?:\[::1\]|(?:.+\.)?localhost|127\.\d+\.\d+\.\d+)$/.test(hostname)
}

function isAllowed(
  { hostname, port }: { readonly hostname: string; readonly port: number },
  ownPort: number | undefined,
  { host, allowedHosts = [] }: SourceRules,
): boolean {
  const isOwn = isLoopback(hostname) || hostname === readAuthority(reachable(host))?.hostname
  if (isOwn && port === ownPort) return true
  return allowedHosts.some((allowed) => {
    const authority = readAuthority(allowed)
    const isAnyPort = !/:\d+$/.test(allowed)
    return authority?.hostname === hostname && (isAnyPort || authority.port === port)
  })
}

function isOwnOrigin(origin: string, host: string): boolean {
  return /^https?:\/\/(.+)$/i.exec(origin)?.[1]?.toLowerCase() === host.toLowerCase()
}

function quoted(text: string): string {
  return JSON.stringify(text.slice(0, 100))
}
