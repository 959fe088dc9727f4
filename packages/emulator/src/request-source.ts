import type { IncomingMessage } from 'node:http'
import { isLoopback } from './loopback.ts'
import type { ResolvedOptions } from './resolved-options.ts'
import { reachable } from './server.ts'

/** Why a request is refused, whatever it asks for. */
export interface SourceFault {
  readonly status: 403 | 421
  readonly code: string
  readonly message: string
}

type Rules = Pick<ResolvedOptions, 'host' | 'allowedHosts'>

/**
 * Checks Host and Origin, so that a web page that is open on this machine cannot register a webhook:
 * neither by DNS rebinding nor by a cross-site POST.
 */
export function checkSource(
  { headers, socket }: IncomingMessage,
  rules: Rules,
): SourceFault | undefined {
  const { host = '', origin } = headers
  const authority = readAuthority(host)
  if (authority === undefined || !isAllowed(authority, socket.localPort, rules)) {
    return {
      status: 421,
      code: 'unknown_host',
      message: `The emulator does not serve the host ${quoted(host)}: use localhost or 127.0.0.1 with port ${socket.localPort}, or allow the name (\`allowedHosts\`, --allow-host).`,
    }
  }
  if (origin !== undefined && !isOwnOrigin(origin, host)) {
    return {
      status: 403,
      code: 'foreign_origin',
      message: `The emulator accepts no requests from a web page of ${quoted(origin)}. Register webhooks from a program.`,
    }
  }
  return undefined
}

/** Reads `name`, `name:port` or `[IPv6]:port`. The port of plain http is 80 where none is written. */
export function readAuthority(
  text: string,
): { readonly hostname: string; readonly port: number } | undefined {
  if (!/^[^\s/\\?#@]+$/.test(text) || !URL.canParse(`http://${text}`)) return undefined
  const { hostname, port } = new URL(`http://${text}`)
  return { hostname, port: port === '' ? 80 : Number(port) }
}

function isAllowed(
  { hostname, port }: { readonly hostname: string; readonly port: number },
  ownPort: number | undefined,
  { host, allowedHosts }: Rules,
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
