import { readFileSync } from 'node:fs'
import { delimiter } from 'node:path'

/** One file of vectors. Every member is described in `notes` and in the README. */
export interface Vectors {
  readonly format: 1
  readonly title: string
  /** Unix seconds that the receiver's clock shows. */
  readonly clock: number
  readonly tolerance_seconds: number
  readonly body_limit_bytes: number
  readonly secret: string
  readonly path: string
  readonly notes: readonly string[]
  readonly counts: { readonly total: number; readonly [group: string]: number }
  readonly cases: readonly VectorCase[]
}

export interface VectorCase {
  readonly id: string
  readonly group: string
  readonly description: string
  readonly why: string
  readonly method: string
  readonly path: string
  readonly http: string
  readonly host: boolean
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: VectorBody
  readonly framing: 'content-length' | 'chunked' | 'none' | { readonly chunked: number }
  readonly timestamp: string | null
  readonly secret: string
  readonly expect: readonly string[]
  readonly handler_calls: number | null
  readonly policy: boolean
  readonly raw_base64?: string
  readonly steps?: readonly VectorStep[]
  readonly send?: VectorSend
  readonly content_length?: number | string
  readonly needs_store?: boolean
  readonly processed?: number
}

/** What of a case it takes to write its request and send it. */
export type VectorRequest = Pick<
  VectorCase,
  | 'method'
  | 'path'
  | 'http'
  | 'host'
  | 'headers'
  | 'body'
  | 'framing'
  | 'raw_base64'
  | 'content_length'
  | 'send'
>

export type VectorBody =
  | { readonly text: string }
  | { readonly base64: string }
  | {
      readonly generate: {
        readonly prefix: string
        readonly unit: string
        readonly times: number
        readonly suffix?: string
      }
    }

export interface VectorStep {
  readonly raw_base64: string
  readonly expect: readonly string[]
  readonly body?: VectorBody
  readonly new_connection?: boolean
}

export interface VectorSend {
  /** Bytes in each TCP segment. */
  readonly segment?: number
  /** How many pieces the request is cut into, with `gap_ms` between two of them. */
  readonly pieces?: number
  readonly gap_ms?: number
  readonly half_close?: boolean
  readonly read_after_write?: boolean
  readonly headers_only?: boolean
  readonly expect_100?: boolean
  readonly abort_after_body_bytes?: number
  readonly close?: boolean
  readonly rst?: boolean
  readonly max_seconds?: number
}

/**
 * Reads the vectors of this package, and after them the files that the environment variable
 * `WEBHOOK_VECTORS` lists, separated as in `PATH`.
 *
 * @throws {TypeError} if a file has another format.
 */
export function loadVectors(listed: string | undefined = process.env.WEBHOOK_VECTORS): Vectors[] {
  const outside = (listed ?? '').split(delimiter).filter((file) => file !== '')
  return [bundled, ...outside].map(readVectors)
}

const bundled = new URL('../vectors/cases.json', import.meta.url)

function readVectors(file: string | URL): Vectors {
  const vectors: unknown = JSON.parse(readFileSync(file, 'utf8'))
  if (!isVectors(vectors)) throw new TypeError(`${file} does not hold vectors of format 1`)
  return vectors
}

function isVectors(value: unknown): value is Vectors {
  if (typeof value !== 'object' || value === null) return false
  return 'format' in value && value.format === 1 && 'cases' in value && Array.isArray(value.cases)
}
