import { isLoopback } from '../request/source.ts'
import type { RegistrationRequest } from './registry.ts'

/** Why a registration is rejected. */
export interface RegistrationFault {
  readonly code: string
  readonly message: string
}

/**
 * Checks the body of a registration (contract, sections 2 and 4). Where the contract leaves a choice: both
 * fields are required, at least one event is, an event that is named twice counts once, and other
 * fields are ignored.
 */
export function checkRegistration(
  body: unknown,
  known: ReadonlySet<string>,
): { readonly request: RegistrationRequest } | { readonly fault: RegistrationFault } {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    return fault('invalid_body', 'The body should be a JSON object with "url" and "events".')
  }
  const { url, events }: { url?: unknown; events?: unknown } = body
  const wrongUrl = faultOfUrl(url)
  if (wrongUrl !== undefined) return fault('invalid_url', `"url" ${wrongUrl}.`)
  if (!Array.isArray(events) || events.length === 0) {
    return fault('invalid_events', '"events" should be an array of at least one event name.')
  }
  const unknown = events.find((event) => !known.has(event))
  if (unknown !== undefined) {
    return fault(
      'invalid_events',
      `"events" has ${JSON.stringify(unknown).slice(0, 100)}, which is not an event. The events are: ${[...known].join(', ')}.`,
    )
  }
  return { request: { url: String(url), events: events.map(String) } }
}

function fault(code: string, message: string): { readonly fault: RegistrationFault } {
  return { fault: { code, message } }
}

function faultOfUrl(url: unknown): string | undefined {
  if (typeof url !== 'string') return 'should be a string'
  if (/[\s\\]/.test(url) || !URL.canParse(url)) return 'is not an absolute URL'
  const { protocol, hostname, username, password } = new URL(url)
  if (username !== '' || password !== '') return 'should have no user name and no password'
  if (url.includes('#')) return 'should have no fragment'
  if (protocol === 'https:') return undefined
  if (protocol === 'http:' && isLoopback(hostname)) return undefined
  return 'should begin with https://, or with http:// for this machine (localhost or 127.0.0.1)'
}
