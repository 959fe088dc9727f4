import type { RequestHead } from '@webhook-receiver/core'
import { contract, publicUrlOf } from '@webhook-receiver/core/internal'
import type { SignedRequest as SignedByMistake } from '@webhook-receiver/diagnose/internal'
import {
  type Header,
  headerValue,
  type NamedTampering,
  newDeliveryId,
  type RequestFacts,
  readFacts,
  type SignedRequest,
  signAgain,
  signTampered,
  type Tampering,
  tamperingsFor,
  withHeader,
} from '@webhook-receiver/emulator/internal'
import { namesOf, schemeValueOf } from '@webhook-receiver/schemes/neighbours'
import { serviceFile } from '@webhook-receiver/schemes/services'
import { type Difference, partingOf } from './difference.ts'
import { type AnyScheme, type SignedText, signedTexts } from './signed-texts.ts'
import type { VerifiableRequest } from './verification.ts'

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

/** How the signature of a request compares with the right ones. */
export interface Comparison {
  /** The header with the signature, as it came. */
  readonly received: string | undefined
  readonly signed: readonly SignedText[]
  /** What the signature does not cover, of what can be shown. */
  readonly unsigned: readonly SignedText[]
  /** Whether the parts follow each other in a way that lets a part end elsewhere. */
  readonly ambiguous: boolean
  readonly expected: readonly {
    readonly secretName: string
    /** `undefined` if only the service can sign. */
    readonly signature: string | undefined
    readonly equal: boolean
  }[]
}

/** The service whose deliveries the page shows: how they are read, compared and signed. */
export interface Service {
  /** What `--scheme` and the import of a test name; `undefined` for the default, which needs neither. */
  readonly option: string | undefined
  /** Where the content is in a body, for which a test gives the rest. */
  readonly contentAt: AnyScheme['contentAt']
  readonly hasEvent: boolean
  /** The headers that verification reads, in lower case. */
  readonly headers: readonly string[]
  /** Those that it offers; others may be sent as well. */
  readonly events: readonly string[]
  readonly tamperings: readonly NamedTampering[]
  /** What a request says of itself, without being trusted; cut, since the list has no room for more. */
  facts(request: VerifiableRequest): Pick<RequestFacts, 'id' | 'event'>
  compare(
    request: VerifiableRequest,
    secrets: Readonly<Record<string, string>>,
  ): Promise<Comparison>
  /** Where what its sender signed differs from what is verified. */
  parting(request: VerifiableRequest, sent: SignedByMistake): Difference | undefined
  /** The headers before a request is sent as it is. */
  named(headers: readonly Header[], body: Uint8Array): readonly Header[]
  sign(request: SignedRequest, order: SigningOrder): Promise<SignedRequest>
  /** A body to begin with. */
  sample(event: string, now: () => number): string
}

/** The service of a scheme, which reads, verifies and signs. */
export function createService(scheme: AnyScheme, publicUrl: string | undefined): Service {
  const { name, headers, hasEvent, contentAt, unsigned = [], ambiguous = false } = scheme
  const value = schemeValueOf(scheme)
  const events = scheme.events ?? Object.keys(serviceFile(name)?.samples ?? {})
  const [signatureHeader = headers[0] ?? ''] = value ? namesOf(value.signature) : []
  const urlOf = (target = '') => publicUrlOf(publicUrl ?? '', target)
  const factsOf = (request: Pick<VerifiableRequest, 'headers' | 'body' | 'target'>) =>
    readFacts(scheme, request, urlOf(request.target))

  return {
    option: scheme === contract ? undefined : name,
    contentAt,
    hasEvent,
    headers,
    events,
    tamperings: tamperingsFor(scheme),
    facts(request) {
      const { id, event } = factsOf(request)
      return { id: id?.slice(0, SHOWN), event: event?.slice(0, SHOWN) }
    },
    named(given, body) {
      const isJson = /^\s*[[{]/.test(Buffer.from(body).toString())
      return isJson ? given : withHeader(given, 'Content-Type', FORM)
    },
    sample(event, now) {
      const parts = { id: newDeliveryId(scheme), event, time: now(), url: urlOf() }
      const data = scheme.sample?.(event) ?? {}
      const text = Buffer.from(scheme.compose?.(data, parts) ?? '{}').toString()
      return text.startsWith('{') ? JSON.stringify(JSON.parse(text), null, 2) : text
    },

    async compare(request, secrets) {
      const { method, body } = request
      const url = urlOf(request.target)
      const header = (wanted: string) => headerValue(request.headers, wanted)
      const head: RequestHead = { method, header, url }
      const { timestamp, id, event } = factsOf(request)
      const parts = {
        ...{ id: id ?? newDeliveryId(scheme), event: event ?? '', url },
        time: scheme.claimedTime?.(header) ?? 0,
        timestamp,
      }
      const expected = Object.entries(secrets).map(async ([secretName, secret]) => {
        const key = await scheme.importKey(secret, 'The secret')
        const equal = await orElse(false, async () =>
          scheme.verify(key, scheme.readHead(head), body),
        )
        const made = await orElse<Readonly<Record<string, string>>>(
          {},
          async () => scheme.sign?.(key, Uint8Array.from(body), parts) ?? {},
        )
        return { secretName, equal, signature: headerValue(Object.entries(made), signatureHeader) }
      })
      const said: Readonly<Record<string, string | undefined>> = { id, event, timestamp }
      return {
        received: header(signatureHeader),
        signed: await orElse([], async () => signedTexts(scheme, { header, url, body, timestamp })),
        unsigned: unsigned.flatMap((part) => {
          const text = said[part]?.slice(0, SHOWN)
          return text ? { part, text } : []
        }),
        ambiguous,
        expected: await Promise.all(expected),
      }
    },

    parting(request, sent) {
      const header = (wanted: string) => headerValue(request.headers, wanted)
      const { timestamp } = factsOf(request)
      const facts = { header, url: urlOf(request.target), body: request.body, timestamp }
      return partingOf(scheme, facts, sent)
    },

    sign(request, { secret, now, target, event, tamper }) {
      const signing = { scheme, secret, now, url: urlOf(target), event, id: newDeliveryId(scheme) }
      return tamper ? signTampered(request, signing, tamper) : signAgain(request, signing)
    },
  }
}

const SHOWN = 200
const FORM = 'application/x-www-form-urlencoded'

async function orElse<Value>(otherwise: Value, work: () => Promise<Value>): Promise<Value> {
  try {
    return await work()
  } catch {
    return otherwise
  }
}
