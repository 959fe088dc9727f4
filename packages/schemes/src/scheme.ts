import type { Scheme, SchemeKind, SignableParts } from '@webhook-receiver/core'
import {
  allMaybeAsync,
  type MaybeAsync,
  madeBy,
  thenMaybeAsync,
} from '@webhook-receiver/core/internal'
import type { Bytes } from './crypto/crypto.ts'
import { parseBody } from './engine/body.ts'
import { composed } from './engine/compose.ts'
import { contentReader, contentsOf } from './engine/content.ts'
import { coverageOf, isHeader } from './engine/coverage.ts'
import { deliveryOf } from './engine/delivery.ts'
import type { Extras } from './engine/extras.ts'
import { type Head, headReader } from './engine/head.ts'
import { identityOf } from './engine/identity.ts'
import { type Content, type Key, methodOf } from './engine/method.ts'
import { namesOf } from './engine/place.ts'
import { keyImporter } from './engine/secret.ts'
import { signerOf } from './engine/signer.ts'
import { timeReader } from './engine/timestamp.ts'
import type { KindOf } from './kind.ts'
import type { Part, Place, SchemeValue } from './value.ts'

/** A scheme that was made from a value. */
export interface DefinedScheme<Kind extends SchemeKind = SchemeKind> extends Scheme<unknown, Kind> {
  readonly value: SchemeValue
  /** Whether two different deliveries can have the same signed bytes, because nothing says where a part ends. */
  readonly ambiguous: boolean
}

/** The scheme of a value that has been checked, as those of this package have by their tests. */
export function schemeOf<const Value extends SchemeValue>(
  value: Value,
  extras: Extras = {},
): DefinedScheme<KindOf<Value>> {
  // The kind is what the type of this value says.
  return compile(value, extras) as DefinedScheme as DefinedScheme<KindOf<Value>>
}

function compile(value: SchemeValue, extras: Extras): DefinedScheme & Scheme<Key> {
  const { name, keys, timestamp, id, event, success, signed } = value
  const { actions, forms, rare, subscriptions, urls } = extras
  // Only when it is needed: an application imports all services, and receives from one of them.
  let made: ReturnType<typeof engineOf> | undefined
  const engine = () => {
    made ??= engineOf(value, extras)
    return made
  }
  const shared = keys.findIndex(({ algorithm }) => algorithm.startsWith('hmac'))
  const readTime = timestamp && timeReader(timestamp)
  const dataOf = (head: Head, body: Uint8Array) => {
    head.data ??= parseBody(value, head, body, forms)
    return head.data
  }
  const verifyOne = ({ index, handle }: Key, head: Head, body: Uint8Array) => {
    const method = engine().methods[index]
    const signatures = head.signatures[index] ?? []
    const matched = firstThat(
      contentsOf(value, head, body, forms),
      (content) => method?.verify(handle, content, signatures) ?? false,
    )
    return thenMaybeAsync(matched, (at) => {
      if (at < 0) return false
      head.url = head.around[at]?.url
      return head.digest === undefined || (urls?.hasDigest(body, head.digest) ?? false)
    })
  }
  const scheme: DefinedScheme & Scheme<Key> = {
    name,
    value,
    get unsigned() {
      return engine().unsigned
    },
    get ambiguous() {
      return engine().ambiguous
    },
    get headers() {
      return engine().headers
    },
    get idHeader() {
      return engine().idHeader
    },
    hasId: id !== undefined,
    idIsOptional: value.idIsOptional,
    hasEvent: event !== undefined,
    tolerance: timestamp?.tolerance ?? Number.POSITIVE_INFINITY,
    signsUrl: signed.includes('url'),
    urlDigest: value.bodyDigest?.query,
    keepsHeaders: true,
    largest: value.largest,
    success: success === undefined ? undefined : { status: success },
    patience: value.patience,
    decision: value.decision,
    replies: value.replies,
    title: value.title,
    secret: value.secret,
    requests: value.requests,
    importKey: (secret, label, use) => engine().importKey(secret, label, use),
    readHead: (request) => engine().readHead(request),
    claimedTime: (header) => engine().claimedTime(header),
    verify(key: Key, head: Head, body) {
      if (!key.others) return verifyOne(key, head, body)
      const found = allMaybeAsync([key, ...key.others].map((one) => verifyOne(one, head, body)))
      return thenMaybeAsync(found, (matches) => matches.includes(true))
    },
    identity: (head: Head, body) => identityOf(value, head, body, forms),
    ...(readTime && {
      readTime: (head: Head, body: Uint8Array) =>
        readTime(head.timestamp, () => dataOf(head, body)),
    }),
    readBody: (body, _events, head: Head) =>
      deliveryOf(value, engine().signsId, head.header, dataOf(head, body)),
    ...(value.handshakes && {
      handshake: (head: Head, body: Uint8Array, key: Key) =>
        engine().handshake?.(dataOf(head, body), key, head.header),
    }),
    compose: (data, parts) => composed(value, data, parts),
    sign: (key: Key, body: Uint8Array, parts: SignableParts) => engine().sign(key, body, parts),
    ...(shared >= 0 && {
      importBytes: async (bytes: Bytes) => ({
        index: shared,
        handle: await engine().methods[shared]?.importKey(bytes),
      }),
    }),
  }
  if (value.action) actions?.(scheme, value)
  rare?.(scheme, value)
  if (value.subscription) subscriptions?.(scheme, value)
  return madeBy('@webhook-receiver/schemes', 'scheme', scheme)
}

/**
 * The place of the first content that was signed, or -1. Which spelling of its URL that is, the time taken may tell, since everybody can know
 * it: the service has one way to write a URL.
 */
function firstThat(
  contents: readonly Content[],
  isSigned: (content: Content) => MaybeAsync<boolean>,
  start = 0,
): MaybeAsync<number> {
  for (let at = start; at < contents.length; at++) {
    const found = isSigned(contents[at] as Content)
    if (typeof found !== 'boolean') {
      return found.then((is) => (is ? at : firstThat(contents, isSigned, at + 1)))
    }
    if (found) return at
  }
  return -1
}

/** What is made of a value once. */
function engineOf(value: SchemeValue, extras: Extras) {
  const { signature, keys, timestamp, signed, id = [], event = [], secret, subscription } = value
  const places = [signature, timestamp?.at, ...signed, ...id, ...event, subscription]
  const methods = keys.map((key) =>
    (extras.methodOf ?? methodOf)(key, signature.encoding, extras.methods),
  )
  const coverage = coverageOf(value)
  const signsId = !coverage.unsigned.includes('id')
  const [unsignedId] = signsId ? [] : headersIn(id)
  const contentOf = contentReader(value, extras.urls)
  const importKey = keyImporter(keys, methods, secret)
  return {
    ...coverage,
    methods,
    headers: [...new Set(headersIn(places))],
    signsId,
    idHeader: unsignedId,
    importKey: extras.privateKeys?.(value, methods, importKey) ?? importKey,
    ...headReader(value, methods, contentOf),
    handshake: extras.handshakes?.(value, methods),
    sign: signerOf(value, methods, contentOf, extras.forms),
  }
}

function headersIn(places: readonly (Part | Place | undefined)[]): readonly string[] {
  return places.filter(isHeader).flatMap(namesOf)
}
