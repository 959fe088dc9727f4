import type { RequestHead, Scheme } from '@webhook-receiver/core'
import { isWebhookError } from '@webhook-receiver/core/adapter'
import { hexadecimal } from '@webhook-receiver/core/internal'
import {
  type KeySource,
  neighbourScheme,
  schemeValueOf,
} from '@webhook-receiver/schemes/neighbours'
import { utf8 } from '../text/encodings.ts'
import type { Pace } from '../text/pace.ts'
import type { Reading } from './readings.ts'
import { createSpend, MAC_COST } from './spend.ts'

/** What a sender may have used as its key: imported once for each way to make a key of it. */
export interface Key {
  readonly source: KeySource
  readonly imported: Map<string, unknown>
}

/** How the signature of one request is compared. Each attempt is verified by a scheme, so that what it signs is written down once. */
export interface Signing {
  /** `undefined` if there is no such key, or if it was imported before. */
  importKey(source: KeySource): Promise<Key | undefined>
  /** @throws OverBudget */
  verifies(key: Key, reading: Reading, body: Uint8Array): Promise<boolean>
}

export function createSigning(scheme: Scheme, pace: Pace): Signing {
  const value = schemeValueOf(scheme)
  const importer = value ? neighbourScheme(value) : scheme
  // A public key takes longer than a MAC, and what is not only the bytes of the body has to be read first.
  const isMac = importer.importBytes !== undefined
  const isPlain = isMac && value?.signed.includes('body') === true
  const spend = createSpend(pace, isMac ? 2 * MAC_COST : 20 * MAC_COST, isPlain ? 3 : 20)
  const isText = value?.keys.every(({ secret }) => secret === 'text')
  const sources = new Set<string>()

  async function keyFor({ source, imported }: Key, other: Scheme): Promise<unknown> {
    const forms = formsOf(other)
    if (!imported.has(forms)) imported.set(forms, await importKey(other, source))
    return imported.get(forms)
  }

  return {
    async importKey(source) {
      const bytes = typeof source !== 'string' ? source : isText ? utf8(source) : undefined
      const id = bytes ? hexadecimal(bytes) : `text:${source}`
      if (sources.has(id)) return undefined
      sources.add(id)
      const key = { source, imported: new Map<string, unknown>() }
      return (await keyFor(key, importer)) === undefined ? undefined : key
    },
    async verifies(key, { scheme: other, request }, body) {
      const imported = await keyFor(key, other)
      if (imported === undefined) return false
      await spend((body.length + lengthOf(other, request)) * signaturesIn(other, request))
      return verifies(other, imported, request, body)
    },
  }
}

/** What the key that is made of a secret depends on. */
function formsOf(scheme: Scheme): string {
  const keys = schemeValueOf(scheme)?.keys.map(({ algorithm, secret, secretPrefix }) => [
    algorithm,
    secret,
    secretPrefix,
  ])
  return JSON.stringify(keys)
}

/** False also where the scheme cannot tell: it may have to fetch a certificate that the request names. */
export async function verifies(
  scheme: Scheme,
  key: unknown,
  request: RequestHead,
  body: Uint8Array,
): Promise<boolean> {
  try {
    return await scheme.verify(key, scheme.readHead(request), body)
  } catch {
    return false
  }
}

/** Whether the scheme could compare a signature over this body at all, with the first of the secrets. */
export async function isSignable(
  scheme: Scheme,
  [[, secret] = [undefined, '']]: readonly (readonly [unknown, string])[],
  request: RequestHead,
  body: Uint8Array,
): Promise<boolean> {
  const key = await importKey(scheme, secret)
  try {
    if (key !== undefined) await scheme.verify(key, scheme.readHead(request), body)
    return true
  } catch (error) {
    return !isWebhookError(error) || error.reason !== 'signature_mismatch'
  }
}

/** `undefined` where the scheme has no such key. */
export async function importKey(scheme: Scheme, source: KeySource): Promise<unknown> {
  try {
    return typeof source === 'string'
      ? await scheme.importKey(source, 'The secret')
      : await scheme.importBytes?.(source)
  } catch {
    return undefined
  }
}

/** At most: what of the head of a request can be signed. */
function lengthOf({ headers }: Scheme, { header, url = '' }: RequestHead): number {
  return headers.reduce((sum, name) => sum + (header(name)?.length ?? 0), 64 + url.length)
}

/** At most: each signature of a header is computed. */
function signaturesIn({ headers }: Scheme, { header }: RequestHead): number {
  return Math.max(
    1,
    ...headers.map((name) => Math.min(10, header(name)?.split(/[,; ]/).length ?? 0)),
  )
}
