import type { DiagnosisHeaders, DiagnosisInput } from './diagnosis.ts'

/** What a request shows, read once. */
export interface Evidence {
  /** Each line of X-Webhook-Signature. */
  readonly signatures: readonly string[]
  /** Each line of X-Webhook-Timestamp. */
  readonly timestamps: readonly string[]
  /** Each line of X-Webhook-Id. */
  readonly ids: readonly string[]
  readonly contentEncoding: string
  readonly contentLength: string
  readonly body: Uint8Array
}

/** Names that `Object.entries` and header look-ups of frameworks write in any case. */
export function readEvidence({ headers, body }: DiagnosisInput): Evidence {
  const lines = linesOf(headers)
  return {
    signatures: lines('x-webhook-signature'),
    timestamps: lines('x-webhook-timestamp'),
    ids: lines('x-webhook-id'),
    contentEncoding: lines('content-encoding').join(', ').toLowerCase(),
    contentLength: lines('content-length')[0] ?? '',
    body: body ?? new Uint8Array(0),
  }
}

/** A look-up for all lines of one name; lines without a value are none. */
function linesOf(headers: DiagnosisHeaders): (name: string) => readonly string[] {
  if (typeof headers === 'function') {
    return (name) => [headers(name)].filter(hasValue)
  }
  const pairs = Symbol.iterator in headers ? [...headers] : Object.entries(headers)
  return (wanted) =>
    pairs
      .flatMap(([name, value]) => (name.toLowerCase() === wanted ? [value].flat() : []))
      .filter(hasValue)
}

function hasValue(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}
