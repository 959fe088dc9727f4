import { printable } from './printable.ts'

const CLOSED =
  'See the log of your server: did it stop at this request? If the port speaks TLS, begin the URL with https://.'

const START = 'Start your server, or check host and port.'

/**
 * What Node and OpenSSL say where no response came, in the reader's words where theirs are not, and what to do. The first that fits
 * counts: OpenSSL's words come with an EPROTO.
 */
const NO_RESPONSE: readonly (readonly [said: RegExp, fix: string, words?: string])[] = [
  [
    /^no response within/,
    'See the log of your server. If it has no line about this, check host and port.',
  ],
  [/^no end of/, 'Your server began its response and did not end it.'],
  [/more than 16 MiB/, 'Respond with less: a service reads the status.'],
  [
    /^aborted$/,
    'Your server closed the connection in the middle of it: see its log.',
    'the response broke off',
  ],
  [/ECONNREFUSED (\S+)/, START, 'nothing listens at $1'],
  [/ENOTFOUND (\S+)/, 'Check the host of the URL.', 'there is no host $1'],
  [/EAI_AGAIN/, 'Check the host of the URL.'],
  [
    /certificate|self.signed|issuer/i,
    'Set NODE_EXTRA_CA_CERTS to the PEM file of its certificate for this command.',
  ],
  [/EPROTO|SSL routines/, 'Begin the URL with http://.', 'the port does not speak TLS'],
  [
    /^Parse Error|^no HTTP$/,
    'Check the port: another program may listen there.',
    'what came back is not HTTP',
  ],
  [/ECONNRESET|EPIPE/, CLOSED, 'the connection was reset'],
  [/^socket hang up|^closed$/, CLOSED, 'the connection was closed'],
]

/** Why there is no response. */
export function noResponse(error = ''): string {
  const words = noResponseWords(error)
  return words.includes('response') ? words : `no response (${words})`
}

export function noResponseWords(error: string): string {
  const [said, , words] = noResponseRow(error) ?? []
  if (!said || !words) return printable(error)
  const [, place = ''] = said.exec(error) ?? []
  return words.replace('$1', () => printable(place))
}

function noResponseAdvice(error: string): string {
  return noResponseRow(error)?.[1] ?? START
}

function noResponseRow(error: string): (typeof NO_RESPONSE)[number] | undefined {
  return NO_RESPONSE.find(([said]) => said.test(error))
}

interface Responded {
  /** As far as it was read. */
  readonly body?: string | undefined
  /** Why there was no response. */
  readonly error?: string | undefined
  /** Where a redirect leads. */
  readonly location?: string | undefined
  /** The fingerprint of the secret that the server should have. */
  readonly fingerprint?: string | undefined
}

/** Whether the connection could not be made, so that no server has seen the request. */
export function isNotConnected(error = ''): boolean {
  return /\bE(?:CONNREFUSED|NOTFOUND|AI_AGAIN|HOSTUNREACH|NETUNREACH)\b/.test(error)
}

/** Whether nothing may be at the URL: what a server does not find, it does not verify either. */
export function isMissing(status: number | undefined): boolean {
  return status === 404 || status === 405
}

/** What to do where a valid delivery gets this status. */
export function serverAdvice(
  status: number | undefined,
  { body = '', error = '', fingerprint, location }: Responded = {},
): string {
  if (status === undefined) return noResponseAdvice(error)
  if (status === 401) {
    const causes =
      'Your server has another secret, verifies another service, or verifies other bytes than were sent, such as JSON that it has parsed'
    // Only our own receivers log the fingerprint.
    return fingerprint && body.includes('"not_authenticated"')
      ? `${causes}. If its log says “Secret fingerprint: ${fingerprint}”, it has the same secret. ${RATE}`
      : `${causes}: see its log.`
  }
  if (status === 404) return 'Check the path of the URL.'
  if (status === 405)
    return 'No route takes POST at this path: check it, and the method of the route.'
  if (status < 400)
    return `Redirects are not followed: use the URL that it redirects to${location ? `, ${location}` : ''}.`
  if (status === 413)
    return 'The body is larger than your server, or a proxy in front of it, accepts.'
  const isOurs = body.includes('"receiver_unavailable"')
  if (status >= 502 && status <= 504 && !isOurs)
    return 'Your server is not ready, or a proxy does not reach it: see its log.'
  return isOurs
    ? `The log of your server says why. ${RATE} If it has no line about this, another copy of the delivery is being handled, which is harmless.`
    : 'The log of your server says why.'
}

/** How often our own receivers log, so that nobody waits for a line that another request had. */
const RATE = 'It logs each cause once a minute; NODE_ENV=development shows every one.'
