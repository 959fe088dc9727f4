import { randomUUID } from 'node:crypto'
import type { RequestHead, Scheme } from '@webhook-receiver/core'
import { publicUrlOf } from '@webhook-receiver/core/internal'
import {
  type Header,
  headerValue,
  readFacts,
  type SignedRequest,
  signAgain,
  signTampered,
  type Tampering,
  tamperingsFor,
  withHeader,
} from '@webhook-receiver/emulator/internal'
import type { Comparison, VerifiableRequest } from './verification.ts'

/** What a request says of itself, without being trusted; cut, since the list has no room for more. */
interface Facts {
  readonly id?: string | undefined
  readonly event?: string | undefined
  readonly instance?: string | undefined
}

/** How a request of the page is signed. */
export interface SigningOrder {
  readonly secret: string
  /** Milliseconds since the epoch. */
  readonly now: number
  /** The path and query of the receiver. */
  readonly target: string
  /** For a service that has it in a header. @default that of the request */
  readonly event?: string | undefined
  readonly tamper?: Tampering | undefined
}

/** The service whose deliveries the page shows: how they are read, compared and signed. */
export interface Service {
  /** `undefined` if the page knows its events, and how it signs. */
  readonly name: string | undefined
  readonly hasEvent: boolean
  readonly canSign: boolean
  /** The headers that verification reads, in lower case. */
  readonly headers: readonly string[]
  /** `[]` if any name is an event. */
  readonly events: readonly string[]
  readonly tamperings: readonly Tampering[]
  facts(request: VerifiableRequest): Facts
  compare(
    request: VerifiableRequest,
    secrets: Readonly<Record<string, string>>,
  ): Promise<Comparison>
  /** The headers before a request is sent as it is. */
  named(headers: readonly Header[], body: Uint8Array): readonly Header[]
  sign(request: SignedRequest, order: SigningOrder): Promise<SignedRequest>
  /** A body to begin with. */
  sample(event: string, now: () => number): string
}

/** The service of a scheme, which reads, verifies and signs. */
export function createService(scheme: Scheme, publicUrl: string | undefined): Service {
  const { name, headers, hasEvent, events, places, unsigned = [] } = scheme
  const signatureHeader = places?.signature ?? headers[0] ?? ''
  const urlOf = (target = '') => publicUrlOf(publicUrl ?? '', target)

  function facts(request: Pick<VerifiableRequest, 'headers' | 'body' | 'target'>): Facts {
    const { id, event, instance } = readFacts(scheme, request, urlOf(request.target))
    return { id: shown(id), event: shown(event), instance: shown(instance) }
  }

  return {
    name: events ? undefined : name,
    hasEvent,
    headers,
    canSign: scheme.sign !== undefined,
    events: events ?? [],
    tamperings: tamperingsFor(scheme),
    facts,
    named(given, body) {
      if (places) {
        const { id } = facts({ headers: [], body })
        return id === undefined ? given : withHeader(given, places.id, id)
      }
      const isJson = /^\s*[[{]/.test(Buffer.from(body).toString())
      return isJson ? given : withHeader(given, 'Content-Type', FORM)
    },
    sample(event, now) {
      const parts = { id: randomUUID(), event, time: now(), url: urlOf() }
      const data = scheme.sample?.(event) ?? {}
      const text = Buffer.from(scheme.compose?.(data, parts) ?? '{}').toString()
      return text.startsWith('{') ? JSON.stringify(JSON.parse(text), null, 2) : text
    },

    async compare(request, secrets) {
      const { method, body } = request
      const url = urlOf(request.target)
      const header = (wanted: string) => headerValue(request.headers, wanted)
      const head: RequestHead = { method, header, url }
      const timestamp = places && header(places.timestamp)
      const { id = randomUUID(), event = '' } = facts(request)
      const parts = { id, event, time: scheme.claimedTime?.(header) ?? 0, url }
      const expected = Object.entries(secrets).map(async ([secretName, secret]) => {
        const key = await scheme.importKey(secret, 'The secret')
        const equal = await orElse(false, async () =>
          scheme.verify(key, scheme.readHead(head), body),
        )
        const made = await orElse<Readonly<Record<string, string>>>(
          {},
          async () =>
            scheme.sign?.(key, Uint8Array.from(body), {
              ...parts,
              ...(places && { timestamp: timestamp ?? '' }),
            }) ?? {},
        )
        return { secretName, equal, signature: made[signatureHeader] }
      })
      return {
        ...(!places && { unsigned }),
        timestamp,
        received: header(signatureHeader),
        bytes: body.length + (places ? `${timestamp ?? ''}.`.length : 0),
        expected: await Promise.all(expected),
      }
    },

    sign(request, { secret, now, target, event, tamper }) {
      const signing = { scheme, secret, now, url: urlOf(target), event, id: randomUUID() }
      return tamper ? signTampered(request, signing, tamper) : signAgain(request, signing)
    },
  }
}

const SHOWN = 200
const FORM = 'application/x-www-form-urlencoded'

function shown(text: string | undefined): string | undefined {
  return text?.slice(0, SHOWN)
}

async function orElse<Value>(otherwise: Value, work: () => Promise<Value>): Promise<Value> {
  try {
    return await work()
  } catch {
    return otherwise
  }
}
