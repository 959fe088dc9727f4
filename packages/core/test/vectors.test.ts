import { loadVectors } from '@webhook-receiver/conformance'
import { bodyBytes } from '@webhook-receiver/conformance/internal'
import { afterEach, expect, test } from 'vitest'
import { createReceiver, EVENTS, WebhookError } from '../src/index.ts'
import reasons from './expected/vectors.json' with { type: 'json' }

/** The groups that a receiver judges alone: the others are about connections, routes and stores. */
const GROUPS = [
  ...['genuine', 'signature', 'repeated-header', 'timestamp', 'age', 'body', 'size', 'coding'],
  ...['media-type', 'method'],
]

const [vectors] = loadVectors('')
const cases = (vectors?.cases ?? []).filter(
  // HTTP servers limit the size of headers.
  ({ group, expect: outcomes }) => GROUPS.includes(group) && !outcomes.includes('431'),
)
const reasonOf = new Map(
  Object.entries(reasons).flatMap(([reason, ids]) => ids.map((id) => [id, reason] as const)),
)
const receiver = createReceiver<undefined>(vectors?.secret ?? '', {
  now: () => (vectors?.clock ?? 0) * 1000,
  onRejected: false,
})

afterEach(() => {
  expect(Object.keys(Object.prototype)).toEqual([])
})

test.each(cases)('$id, $description', async (vector) => {
  const body = Uint8Array.from(bodyBytes(vector.body))
  const length = vector.framing === 'content-length' ? (vector.content_length ?? body.length) : ''
  const outcome = await receiver
    .receive({
      method: vector.method,
      // What is sent twice is joined, as Node and Headers do it.
      header: (name) =>
        name === 'content-length'
          ? `${length}`
          : vector.headers
              .filter(([field]) => field.toLowerCase() === name)
              .map(([, value]) => value)
              .join(', '),
      readBody: () => body,
      context: undefined,
    })
    .catch((error: unknown) => ({ error }))

  const reason = reasonOf.get(vector.id)
  if ('error' in outcome) {
    const { error } = outcome
    if (!(error instanceof WebhookError)) throw error
    expect(error.reason).toBe(reason)
    expect(vector.expect).toContain(`${error.status}`)
    return
  }
  expect(reason).toBeUndefined()
  // A handler that throws does so behind the receiver.
  expect(['accepted', '5xx']).toContain(vector.expect[0])
  const sent = JSON.parse(Buffer.from(body).toString(), (name, value) =>
    name === '__proto__' ? undefined : value,
  )
  const known = EVENTS.includes(sent.event)
  // As text, since the assertion takes seconds to walk through what is large.
  expect(JSON.stringify(outcome.delivery)).toBe(JSON.stringify({ ...sent, known }))
  expect(outcome.verification.rawBody).toBe(body)
})
