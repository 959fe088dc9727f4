import { randomUUID } from 'node:crypto'
import type { Scheme } from '@webhook-receiver/core'
import { publicUrlOf, type RequestHead } from '@webhook-receiver/core/adapter'
import {
  headerValue,
  type SignedRequest,
  type Tampering,
  withHeader,
} from '@webhook-receiver/emulator/request'
import type { Facts, Service } from './service.ts'
import type { VerifiableRequest } from './verification.ts'

const HOUR = 3_600_000

/** Another service than that of the contract: its scheme reads, verifies and signs. */
export function schemeService(scheme: Scheme, publicUrl: string | undefined): Service {
  const { name, headers, hasEvent, tolerance, unsigned = [] } = scheme
  const [signatureHeader = ''] = headers
  const urlOf = (target = '') => publicUrlOf(publicUrl ?? '', target)
  const headOf = (request: VerifiableRequest): RequestHead => ({
    method: request.method,
    header: (wanted) => headerValue(request.headers, wanted),
    url: urlOf(request.target),
  })

  function facts(request: VerifiableRequest): Facts {
    try {
      const head = scheme.readHead(headOf(request))
      const { id, event } = scheme.readBody(request.body, new Set(), head)
      return { id: id?.slice(0, SHOWN), event: event?.slice(0, SHOWN) }
    } catch {
      return {}
    }
  }

  /** The headers by which the service would send this body. */
  async function signatureOf(
    secret: string,
    { body, target }: Pick<VerifiableRequest, 'body' | 'target'>,
    { id = randomUUID(), event = '' }: Facts,
    time: number,
  ): Promise<Readonly<Record<string, string>>> {
    if (!scheme.sign) throw new TypeError(`Only ${name} itself can sign its deliveries.`)
    const key = await scheme.importKey(secret, 'The secret')
    return scheme.sign(key, Uint8Array.from(body), { id, event, time, url: urlOf(target) })
  }

  return {
    name,
    hasEvent,
    headers,
    canSign: scheme.sign !== undefined,
    events: [],
    tamperings: Number.isFinite(tolerance) ? [...ALWAYS, ...WITH_TIME] : ALWAYS,
    facts,
    named: (given, body) =>
      /^\s*[[{]/.test(Buffer.from(body).toString())
        ? given
        : withHeader(given, 'Content-Type', FORM),
    sample(event, now) {
      const parts = { id: randomUUID(), event, time: now(), url: urlOf() }
      const text = Buffer.from(scheme.compose?.({}, parts) ?? '{}').toString()
      return text.startsWith('{') ? JSON.stringify(JSON.parse(text), null, 2) : text
    },

    async compare(request, secrets) {
      const { body } = request
      const head = headOf(request)
      const time = scheme.claimedTime(head.header) ?? 0
      const expected = Object.entries(secrets).map(async ([secretName, secret]) => {
        const key = await scheme.importKey(secret, 'The secret')
        const equal = await orElse(false, async () =>
          scheme.verify(key, scheme.readHead(head), body),
        )
        const made: Readonly<Record<string, string>> = await orElse({}, () =>
          signatureOf(secret, request, facts(request), time),
        )
        return { secretName, equal, signature: made[signatureHeader] }
      })
      return {
        unsigned,
        timestamp: undefined,
        received: head.header(signatureHeader) ?? undefined,
        bytes: body.length,
        expected: await Promise.all(expected),
      }
    },

    async sign(request, { secret, now, target, event, tamper }) {
      const { body } = request
      const about = facts({ ...request, method: 'POST', target })
      const at = now + (tamper === 'stale' ? -HOUR : tamper === 'future' ? HOUR : 0)
      const by = tamper === 'secret' ? otherSecret(secret) : secret
      const named = { id: about.id, event: event ?? about.event }
      const made = await signatureOf(by, { body, target }, named, at)
      const replaced = [...headers, ...Object.keys(made)]
      const kept = request.headers.filter(([header]) => !replaced.includes(header.toLowerCase()))
      const added = Object.entries(made).filter(
        ([header]) => tamper !== 'unsigned' || header !== signatureHeader,
      )
      const signed: SignedRequest = { headers: [...kept, ...added], body }
      return tamper === 'body' ? { ...signed, body: Buffer.concat([body, SPACE]) } : signed
    },
  }
}

const SHOWN = 200
const FORM = 'application/x-www-form-urlencoded'
const SPACE = Buffer.from(' ')
const ALWAYS: readonly Tampering[] = ['body', 'secret', 'unsigned']
const WITH_TIME: readonly Tampering[] = ['stale', 'future']

async function orElse<Value>(otherwise: Value, work: () => Promise<Value>): Promise<Value> {
  try {
    return await work()
  } catch {
    return otherwise
  }
}

/** One of the same form, which may be base64. */
function otherSecret(secret: string): string {
  const middle = Math.floor(secret.length / 2)
  return `${secret.slice(0, middle)}${secret[middle] === '0' ? '1' : '0'}${secret.slice(middle + 1)}`
}
