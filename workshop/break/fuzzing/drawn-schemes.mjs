// Schemes that somebody may write, only with HMAC, and requests for them before they are signed.
import fc from 'fast-check'

const one = fc.constantFrom
const maybe = (arbitrary) => fc.option(arbitrary, { nil: undefined, freq: 2 })
const text = (...texts) => maybe(one(...texts.map((each) => ({ text: each }))))

/** A scheme as its value, with every place, part and spelling that there is. */
export const schemeValues = fc
  .record({
    body: one('json', 'json', 'json', 'form'),
    field: maybe(one('v1')),
    separators: fc.tuple(one(',', ';', ', '), maybe(one(' '))),
    at: one({ header: 'x-time' }, { field: 't' }),
    unit: maybe(one('s', 'ms', 'rfc3339')),
    parts: fc.tuple(
      one('url', undefined, undefined),
      text('v0:', '.', '&&'),
      maybe(one({ header: 'x-id' })),
      text('.', ':', '.-'),
      one('timestamp'),
      text('.', ':', '|'),
    ),
    behind: one(true, false, false, false),
    encoding: one('hex', 'base64', 'base64url'),
    algorithm: one('hmac-sha1', 'hmac-sha256', 'hmac-sha512'),
    secret: one('text', 'base64'),
    prefix: maybe(one('sha=', 'v1-')),
    id: one({ header: 'x-id' }, { pointer: '/id' }),
  })
  .map(({ body, field, separators, at, unit, behind, encoding, prefix, id, ...drawn }) => {
    const separator = separators[field ? 0 : 1]
    const timestamp = unit && { at: field ? at : { header: 'x-time' }, unit }
    const parts = drawn.parts.filter((part) => part && (timestamp || part !== 'timestamp'))
    const content = body === 'form' ? 'form' : 'body'
    return {
      name: 'drawn',
      checked: '2026-11-23',
      signature: {
        header: 'x-signature',
        encoding,
        ...(separator && { separator }),
        ...(field && { field }),
      },
      keys: [{ algorithm: drawn.algorithm, secret: drawn.secret, ...(prefix && { prefix }) }],
      signed: behind ? [content, ...parts] : [...parts, content],
      ...(timestamp && { timestamp }),
      id: [id],
      body,
    }
  })

const words = one('a', 'b7', 'x.y', 'A:B', '1795392000', 'id|2', '&&', 'né')

/** What a request holds, whatever its scheme is; `at` and `bit` say what is changed in it. */
export const contents = fc.record({
  words: fc.tuple(words, words, words),
  note: one(
    '$&',
    'x',
    '1795392000.',
    '\u0000',
    '👩‍🚀',
    'é',
    '"',
    '   ',
    ':.|',
    '2026-11-23T07:00:00Z[1]',
  ),
  id: one('a', 'msg_1', 'b-c', '1795392000', 'x.y', 'p:q|r', 'a{'),
  time: fc.integer({ min: 1_795_392_000_000, max: 1_796_392_000_000 }),
  url: one('', 'hooks', 'hooks?x=1', 'hooks?x=id'),
  at: fc.nat(),
  bit: fc.nat({ max: 2 }),
})

export const secretOf = ({ keys: [{ secret }] }) =>
  secret === 'text' ? 'Drawn secret' : 'RHJhd24gc2VjcmV0'

const WRITTEN = {
  s: (time) => `${Math.floor(time / 1000)}`,
  ms: (time) => `${time}`,
  rfc3339: (time) => new Date(time).toISOString(),
}

/** The request of a scheme with such a content. */
export function requestOf(value, { words: [id, name, last], note, time, url, ...content }) {
  const fields = [
    ['id', id],
    [name, note],
    ['z', last],
  ]
  const body =
    value.body === 'form' ? `${new URLSearchParams(fields)}` : JSON.stringify({ id, note })
  return {
    secret: secretOf(value),
    body: Buffer.from(body),
    id: content.id,
    time: WRITTEN[value.timestamp?.unit ?? 's'](time),
    url: `https://example.com/${url}`,
  }
}

/** A scheme as the judges' reference reads it: the texts that are signed and sent, with the parts of a request in braces. */
export function formOf({ keys: [key], signature, signed, timestamp }) {
  const { header, encoding, field, separator } = signature
  const at = timestamp?.at ?? {}
  const text = `${key.prefix ?? ''}{signature}`
  const pairs = [...(at.field ? [`${at.field}={time}`] : []), `${field}=${text}`]
  const names = { timestamp: '{time}', url: '{url}', body: '{body}', form: '{form}' }
  return {
    signed: signed.map((part) => names[part] ?? part.text ?? '{id}').join(''),
    sent: {
      'x-id': '{id}',
      ...(at.header && { [at.header]: '{time}' }),
      [header]: field ? pairs.join(separator) : text,
    },
    encoding,
    by: `${key.algorithm} of ${key.secret}`,
  }
}
