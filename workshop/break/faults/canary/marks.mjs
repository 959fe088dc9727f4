import { createHmac } from 'node:crypto'
import { bodyBytes } from '@webhook-receiver/conformance/internal'

/**
 * What must not come out: pieces of the secret and of the content of the deliveries, as text and as bytes are printed; pieces of 16
 * digits of every MAC that was sent, and of those that would have been right.
 *
 * The `id` and the `event` of a delivery are no marks: hooks and channels are there to tell them.
 */
export function marksOf({ secret, cases }) {
  const requests = cases.flatMap(requestsOf)
  const digests = requests
    .flatMap(({ head, body, timestamp = '' }) => [
      createHmac('sha256', secret).update(`${timestamp}.`, 'latin1').update(body).digest('hex'),
      ...[...head.matchAll(/^x-webhook-signature:(.*)$/gim)].map(([, value]) => value),
    ])
    .flatMap((text) => text.match(/[0-9a-f]{40,}/gi) ?? [])
  // One that is in the path is in every access log.
  const shown = cases.map(({ path = '' }) => path).join()
  return {
    texts: [secret.slice(0, 12), secret.slice(12, 24), 'Good morning', 'inst_7f3a'].flatMap(
      spellings,
    ),
    digests: new Set(
      digests
        .filter((digest) => !shown.includes(digest))
        .flatMap((digest) => digest.toLowerCase().match(/.{16}/g)),
    ),
  }
}

/** The marks that are in a text. */
export function marksIn(text, { texts, digests }) {
  const found = new Set(texts.filter((mark) => text.includes(mark)))
  for (const [run] of text.toLowerCase().matchAll(/[0-9a-f]{16,}/g)) {
    for (let at = 0; at + 16 <= run.length; at++) {
      const piece = run.slice(at, at + 16)
      if (digests.has(piece)) found.add(piece)
    }
  }
  return [...found]
}

/** The head as text and the body of each request of a case; the body still framed where it was written raw. */
function requestsOf(vector) {
  if (vector.steps) return vector.steps.map(split)
  if (vector.raw_base64 !== undefined) return [split(vector)]
  const head = vector.headers.map((pair) => pair.join(': ')).join('\n')
  return [{ head, body: bodyBytes(vector.body), timestamp: vector.timestamp }]
}

function split({ raw_base64, body }) {
  const [head, ...rest] = Buffer.from(raw_base64, 'base64').toString('latin1').split('\r\n\r\n')
  const timestamp = /^x-webhook-timestamp:\s*(.*?)\s*$/im.exec(head)?.[1]
  const raw = Buffer.from(rest.join('\r\n\r\n'), 'latin1')
  return { head, body: body ? bodyBytes(body) : raw, timestamp }
}

/** As text, in hexadecimal, in base64 and as a list of numbers. */
function spellings(text) {
  const bytes = Buffer.from(text)
  const hex = bytes.toString('hex')
  return [
    text,
    hex,
    hex.match(/../g).join(' '),
    bytes.toString('base64'),
    ...[',', ', '].map((between) => [...bytes].join(between)),
  ]
}
