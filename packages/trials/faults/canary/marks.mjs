import { createHmac } from 'node:crypto'

/** How long a piece has to be to prove something, in bytes. */
const PIECE = 12

/**
 * What must not come out, of each case: pieces of the secret, of the MAC that was sent and of the one that
 * would have been right, and of the body; each as text, and as bytes are printed.
 *
 * The `id` and the `event` of a delivery are no marks: hooks and channels are there to tell them.
 */
export function marksOf(vectors) {
  const marks = new Map()
  const add = (what, of, bytes) => {
    for (const text of spellings(bytes)) if (!marks.has(text)) marks.set(text, { text, what, of })
  }
  for (const piece of pieces(Buffer.from(vectors.secret))) add('the secret', 'all cases', piece)
  for (const vector of vectors.cases) {
    for (const request of requestsOf(vector)) {
      for (const digest of digests(vectors.secret, request))
        add('a MAC', vector.id, Buffer.from(digest))
      for (const piece of bodyPieces(request.body)) add('the body', vector.id, piece)
    }
  }
  return [...marks.values()]
}

/** The head as text and the body of each request of a case; the body still framed where it was written raw. */
function requestsOf(vector) {
  if (vector.steps) return vector.steps.map((step) => split(step))
  if (vector.raw_base64 !== undefined) return [split(vector)]
  const head = vector.headers.map((pair) => pair.join(': ')).join('\r\n')
  return [{ path: vector.path, head, body: bytesOf(vector.body), timestamp: vector.timestamp }]
}

function split({ raw_base64, body }) {
  const raw = Buffer.from(raw_base64, 'base64')
  const end = raw.indexOf('\r\n\r\n')
  const head = raw.toString('latin1', 0, end < 0 ? raw.length : end)
  const timestamp = /^x-webhook-timestamp:\s*(.*?)\s*$/im.exec(head)?.[1]
  const rest = end < 0 ? Buffer.alloc(0) : raw.subarray(end + 4)
  return { path: '', head, body: body ? bytesOf(body) : rest, timestamp }
}

function bytesOf(body) {
  if ('text' in body) return Buffer.from(body.text)
  if ('base64' in body) return Buffer.from(body.base64, 'base64')
  // Of what is repeated, once is enough to be recognised.
  const { prefix, unit, suffix = '' } = body.generate
  return Buffer.concat([prefix, unit, suffix].map((part) => Buffer.from(part, 'base64')))
}

/** Pieces of 16 digits of the right MAC, and of those in the header. One that is in the path is in every access log. */
function digests(secret, { path, head, body, timestamp }) {
  const right = createHmac('sha256', secret)
    .update(`${timestamp ?? ''}.`, 'latin1')
    .update(body)
    .digest('hex')
  const sent = [...head.matchAll(/^x-webhook-signature:(.*)$/gim)].flatMap(
    ([, value]) => value.match(/[0-9a-f]{40,}/gi) ?? [],
  )
  return [right, ...sent]
    .filter((digest) => !path.includes(digest))
    .flatMap((digest) => digest.match(/.{16}/g))
}

/** What of a body nobody else would print: not the names of the fields, the id, the event or the time. */
function bodyPieces(body) {
  const own = ['inst_7f3a', 'Good morning'].map((text) => Buffer.from(text))
  const found = own.filter((text) => body.includes(text))
  if (found.length > 0) return found
  const [longest = ''] = body
    .toString('latin1')
    .split(COMMON)
    .toSorted((a, b) => b.length - a.length)
  return pieces(Buffer.from(longest, 'latin1')).slice(0, 3)
}

const COMMON =
  /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|\d{4}-\d\d-\d\dT[\d:.]+Z|(?:message|instance)\.\w+|"?(?:id|event|created_at|data|instance_id|timestamp|__proto__)"?|inst_01/

function pieces(bytes) {
  const count = Math.min(8, Math.floor(bytes.length / PIECE))
  return Array.from({ length: count }, (_, at) => bytes.subarray(at * PIECE, (at + 1) * PIECE))
}

/** Bytes as text, as JSON has it, in hexadecimal, in base64 and as a list of numbers. */
function spellings(bytes) {
  const texts = [bytes.toString('latin1'), bytes.toString('utf8')]
  const whole = bytes.subarray(0, bytes.length - (bytes.length % 3))
  return new Set([
    ...texts.filter((text) => text.trim().length >= 9),
    ...texts.map((text) => JSON.stringify(text).slice(1, -1)).filter((text) => text.length >= 9),
    bytes.toString('hex'),
    bytes.toString('hex').match(/../g).join(' '),
    whole.toString('base64'),
    [...bytes].join(','),
    [...bytes].join(', '),
  ])
}

/** The marks that are in a text, which is gone through once, however many marks there are. */
export function marksIn(text, marks) {
  const byStart = new Map()
  for (const mark of marks) {
    const start = mark.text.slice(0, START)
    byStart.set(start, [...(byStart.get(start) ?? []), mark])
  }
  const found = new Set()
  for (let at = 0; at + START <= text.length; at++) {
    for (const mark of byStart.get(text.slice(at, at + START)) ?? []) {
      if (text.startsWith(mark.text, at)) found.add(mark)
    }
  }
  return [...found]
}

/** Every mark is at least so long, in characters. */
const START = 8
