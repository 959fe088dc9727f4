import { isWebhookError } from '@webhook-receiver/core/adapter'
import type { DefinedScheme } from '../src/index.ts'
import * as schemes from '../src/index.ts'

const exported: readonly unknown[] = Object.values(schemes)

export const ALL: readonly DefinedScheme[] = exported.filter(
  (value): value is DefinedScheme => typeof value === 'object',
)

interface Judgement {
  /** What the SDK or the sample code of the service said, if it was asked. */
  readonly judged?: boolean | null
  /** Why we do not follow it. */
  readonly why?: string
}

export interface Vector extends Judgement {
  readonly scheme: string
  readonly name: string
  readonly secret: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array<ArrayBuffer>
  readonly valid: boolean
}

interface Recorded extends Judgement {
  readonly name: string
  readonly secret: string
  readonly url?: string
  readonly headers: Vector['headers']
  readonly body?: string | { prefix: string; unit: string; times: number; suffix: string }
  readonly text?: string
  readonly valid: boolean
  readonly scheme?: string
}

declare global {
  interface ImportMeta {
    /** Of vite: a Worker has no disk to read from. */
    readonly glob: (pattern: string, options: object) => Readonly<Record<string, RecordedFile>>
  }
}

interface RecordedFile {
  readonly scheme: string
  readonly vectors: readonly Recorded[]
}

const FILES = import.meta.glob('../../conformance/schemes/*.json', {
  eager: true,
  import: 'default',
})

/** The published and the recorded vectors of all services. */
export const VECTORS: readonly Vector[] = Object.values(FILES).flatMap(({ scheme, vectors }) => {
  // Its signatures are in the body, and need a certificate: aws-sns.test.ts.
  if (scheme === 'aws-sns') return []
  return vectors.map((one: Recorded) => ({
    ...one,
    scheme: one.scheme ?? scheme,
    url: one.url ?? '',
    body: Uint8Array.from(bytesOf(one)),
  }))
})

function bytesOf({ text, body = '' }: Recorded): Buffer {
  if (text !== undefined) return Buffer.from(text)
  if (typeof body === 'string') return Buffer.from(body, 'base64')
  const [prefix, unit, suffix] = [body.prefix, body.unit, body.suffix].map((part) =>
    Buffer.from(part, 'base64'),
  ) as [Buffer, Buffer, Buffer]
  return Buffer.concat([prefix, ...Array<Buffer>(body.times).fill(unit), suffix])
}

export function vectorsOf(scheme: DefinedScheme): readonly Vector[] {
  return VECTORS.filter((vector) => vector.scheme === scheme.name)
}

/** The first valid request of a service, as recorded. */
export function validRequest(scheme: DefinedScheme): Vector {
  const found = vectorsOf(scheme).find(({ name, valid }) => valid && name === 'plain')
  if (!found) {
    throw new Error(
      `${scheme.name} has no valid vector: npm run prove -- judges --only ${scheme.name} --write writes its vectors.`,
    )
  }
  return found
}

/** `'valid'`, `'mismatch'`, or the reason why the head was rejected. */
export async function verdict(
  scheme: DefinedScheme,
  given: Omit<Vector, 'scheme' | 'name' | 'valid'>,
): Promise<string> {
  const key = await scheme.importKey(given.secret, 'The secret')
  try {
    const { url, headers, body } = given
    const head = scheme.readHead({ method: 'POST', header: (name) => headers[name], url })
    return (await scheme.verify(key, head, body)) ? 'valid' : 'mismatch'
  } catch (error) {
    if (isWebhookError(error)) return error.reason
    throw error
  }
}
