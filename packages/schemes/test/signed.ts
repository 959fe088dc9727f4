import { createHmac } from 'node:crypto'
import { createReceiver, type Scheme } from '@webhook-receiver/core'
import { sourceFor } from '@webhook-receiver/core/internal'
import type { DefinedScheme } from '../src/index.ts'
import { type Vector, validRequest } from './vectors.ts'

export const NOW = 1_795_392_000_000

export type Sample = Pick<Vector, 'secret' | 'url' | 'headers' | 'body'>

/** A request as the service sends it, with id and event where it has them. */
export async function composed(scheme: DefinedScheme, data: object, parts = {}): Promise<Sample> {
  const given = { id: 'id-1', event: 'push', time: NOW, url: 'https://example.com/hook', ...parts }
  return signed(scheme, scheme.compose?.(data, given) ?? new Uint8Array(), given)
}

/** A request with this body. Where the secret is not any text, it is that of the vectors. */
export async function signed(
  scheme: DefinedScheme,
  body: string | Uint8Array,
  { id = 'id-1', event = 'push', time = NOW, url = 'https://example.com/hook' } = {},
): Promise<Sample> {
  const bytes = Uint8Array.from(Buffer.from(body))
  const secret = scheme.value.keys[0].secret === 'text' ? 'secret' : validRequest(scheme).secret
  const key = await scheme.importKey(secret, 'The secret')
  const made = Object.entries((await scheme.sign?.(key, bytes, { id, event, time, url })) ?? {})
  const headers = made.map(([name, value]) => [name.toLowerCase(), value])
  return { secret, url, headers: Object.fromEntries(headers), body: bytes }
}

/** A MAC by node:crypto alone, of a text in which each character is a byte. */
export function macOf(
  text: string,
  {
    hash = 'sha256',
    secret = 'secret' as string | Buffer,
    as = 'hex' as 'hex' | 'base64' | 'base64url',
  } = {},
): string {
  return createHmac(hash, secret).update(text, 'latin1').digest(as)
}

/** What a receiver makes of a request. */
export async function receive(
  scheme: DefinedScheme | Scheme,
  { secret = 'secret', ...sent }: Arriving & { readonly secret?: string },
  options: object = {},
) {
  const given = { scheme, now: () => NOW, onRejected: false, ...options } as object
  const receiver = createReceiver(sourceFor(scheme as Scheme, secret), given)
  const { delivery, verification } = await receiver.receiveRequest(requestOf(sent))
  return { delivery: delivery as { readonly id?: string; readonly data: object }, verification }
}

/** A request as it arrives. */
export function requestOf({ url = '', headers = {}, body }: Arriving): Request {
  return new Request(url || 'https://example.com', { method: 'POST', headers, body })
}

interface Arriving {
  readonly url?: string
  readonly headers?: HeadersInit
  readonly body: BodyInit
}
