import {
  isRecord,
  listOf,
  numberRule,
  oneOf,
  optional,
  type Rule,
  rule,
  stringRule,
} from '@webhook-receiver/core/internal'

/** The rule of each property, and the shape of one that is an object, or an array of objects. */
export interface Shape {
  readonly [name: string]: Rule<unknown> & { readonly shape?: Shape }
}

/** What a scheme may hold. Made where one is defined: what is called at the top level, no bundler leaves out for those who define none. */
export function schemeShape(): Shape {
  const TEXT = stringRule('a non-empty string', /./s)
  const NAME = stringRule('letters and digits', /^\w+$/)
  const MAYBE_TEXT = optional(TEXT)
  // It stands in messages, which a terminal shows.
  const LINE = stringRule('text in one line', /^[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+$/u)
  const MAYBE_LINE = optional(LINE)
  const NAME_OF_HEADER = stringRule('', /^[!#-'*+.^`|~\da-z_-]+$/)
  const HEADER = rule<unknown>(
    'the name of a header in lower case, or an array of its names',
    (value) => NAME_OF_HEADER.is(value) || nonEmpty('', NAME_OF_HEADER).is(value),
  )
  const isPointer = (value: unknown) => typeof value === 'string' && /^(?:\/[^/]*)+$/.test(value)

  const header = only('header', HEADER.is)
  const pointer = (place: unknown) =>
    isRecord(place) &&
    isPointer(place.pointer) &&
    Object.keys(place).every((name) => name === 'pointer' || name === 'form') &&
    MAYBE_TEXT.is(place.form)
  const ACTION = rule('', only('pointer', isPointer))
  const WORDS: readonly unknown[] = ['timestamp', 'url', 'body', 'form']

  const PART = rule(
    '',
    (part) => WORDS.includes(part) || header(part) || only('text', TEXT.is)(part),
  )
  const PLACE = rule('', (place) => header(place) || pointer(place))
  const PLACES = optional(
    nonEmpty("an array such as [{ header: 'x-id' }] or [{ pointer: '/id' }]", PLACE),
  )

  const SIGNATURE: Shape = {
    header: HEADER,
    encoding: oneOf(['hex', 'base64', 'base64url']),
    separator: MAYBE_LINE,
    field: MAYBE_LINE,
  }

  const KEY: Shape = {
    algorithm: oneOf([
      'hmac-sha1',
      'hmac-sha256',
      'hmac-sha512',
      'ed25519',
      'ecdsa-p256',
      'rsa-sha256',
    ]),
    secret: oneOf(['text', 'hex', 'base64', 'spki', 'pem']),
    secretPrefix: MAYBE_LINE,
    prefix: MAYBE_LINE,
  }

  const TIMESTAMP: Shape = {
    at: rule(
      "{ header: 'x-timestamp' }, { field: 't' } or { pointer: '/time' }",
      (at) => PLACE.is(at) || only('field', TEXT.is)(at),
    ),
    unit: oneOf(['s', 'ms', 'rfc3339']),
    tolerance: optional(numberRule({ unit: 'seconds', above: 0 })),
  }

  const STATUS = numberRule({ whole: true, from: 200, to: 299 })
  const FLAG = optional(rule('true or false', (value) => typeof value === 'boolean'))

  const RESPONSE: Shape = {
    status: STATUS,
    headers: optional(
      object("an object such as { 'content-type': 'text/plain' }", {
        // No other: cookies, or what a proxy takes for an order, are not for whoever describes a service to write.
        'content-type': oneOf([
          'text/plain',
          'text/plain; charset=utf-8',
          'application/json',
          'application/json; charset=utf-8',
        ]),
      }),
    ),
    echo: optional(rule('a JSON pointer', isPointer)),
    json: optional(
      rule("names with 'echo', 'mac' or a number each", (json) =>
        hasOnly(
          json,
          () => true,
          (part) => part === 'echo' || part === 'mac' || typeof part === 'number',
        ),
      ),
    ),
  }

  const HANDSHAKE: Shape = {
    name: LINE,
    // Without any, every delivery would be a handshake, and no handler would see it.
    when: rule('JSON pointers with a string or number each', (when) =>
      hasOnly(when, isPointer, (value) => ['string', 'number'].includes(typeof value)),
    ),
    response: object('an object with status', RESPONSE),
  }

  const named = (expected: string, isName: (name: unknown) => boolean, isText = LINE.is) =>
    optional(rule(expected, (texts) => hasOnly(texts, isName, isText)))

  const SECRET: Shape = {
    called: LINE,
    begins: MAYBE_LINE,
    mistaken: named("beginnings with what they are, such as { sk_: 'an API key' }", LINE.is),
    several: MAYBE_LINE,
    chosen: FLAG,
    separator: MAYBE_LINE,
  }

  const MEDIA_TYPES = listOf('', stringRule('', /^[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+$/))

  const REPLIES: Shape = {
    statuses: rule(
      "statuses with the media types of their bodies, such as { 200: ['application/json'] }",
      (statuses) => hasOnly(statuses, (status) => /^[2-5]\d\d$/.test(`${status}`), MEDIA_TYPES.is),
    ),
    instead: MAYBE_LINE,
  }

  const OTHER: Shape = {
    header: optional(rule('the name of a header in lower case', NAME_OF_HEADER.is)),
    begins: MAYBE_TEXT,
    body: MAYBE_TEXT,
    unsigned: FLAG,
    is: LINE,
  }

  const SECRET_AT: Shape = {
    header: optional(rule('the name of a header in lower case', NAME_OF_HEADER.is)),
    pointer: optional(rule('a JSON pointer', isPointer)),
    echo: FLAG,
  }

  const REQUESTS: Shape = {
    recognised: named(
      "headers in lower case with how they begin, such as { 'user-agent': 'Acme' }",
      NAME_OF_HEADER.is,
      (value): value is string => typeof value === 'string',
    ),
    signing: MAYBE_LINE,
    weak: named(
      "headers in lower case with an algorithm, such as { 'x-old': 'SHA-1' }",
      NAME_OF_HEADER.is,
    ),
    others: optional(objects('an array of objects with header or body, and is', OTHER)),
    secretAt: optional(object('an object with header or pointer', SECRET_AT)),
    post: MAYBE_LINE,
  }

  const BODY_DIGEST: Shape = {
    query: NAME,
    form: optional(
      object('an object with text and digits', {
        text: NAME,
        digits: numberRule({ whole: true, from: 1, to: 64 }),
      }),
    ),
  }

  const GET_CHECK: Shape = {
    name: LINE,
    // Without any, every GET would be a check.
    when: rule('fields of a query with a text each', (when) => hasOnly(when, TEXT.is, TEXT.is)),
    token: LINE,
    echo: LINE,
  }

  return {
    name: stringRule(
      '1 to 64 letters, digits, dots, hyphens and underscores, and not contract',
      /^(?!contract$)[\w.-]{1,64}$/,
    ),
    title: MAYBE_LINE,
    documentation: MAYBE_LINE,
    checked: stringRule(
      "the day of the last comparison with the service, such as '2026-11-22'",
      /^\d{4}-\d\d-\d\d$/,
    ),
    signature: object('an object with header and encoding', SIGNATURE),
    keys: objects('an array of objects with algorithm and secret', KEY),
    signed: nonEmpty(
      "an array of { text }, { header }, 'timestamp', 'url', 'body' and 'form'",
      PART,
    ),
    bodyDigest: optional(object("an object such as { query: 'sha256' }", BODY_DIGEST)),
    urlSpellings: FLAG,
    urlDecoded: MAYBE_TEXT,
    timestamp: optional(object('an object with at and unit', TIMESTAMP)),
    id: PLACES,
    idIsOptional: FLAG,
    event: PLACES,
    action: optional(nonEmpty("an array such as [{ pointer: '/action' }]", ACTION)),
    body: optional(oneOf(['json', 'form', 'json or form'])),
    jsonField: MAYBE_TEXT,
    handshakes: optional(objects('an array of objects with name, when and response', HANDSHAKE)),
    getCheck: optional(object('an object with name, when, token and echo', GET_CHECK)),
    decision: FLAG,
    replies: optional(object('an object with statuses', REPLIES)),
    success: optional(STATUS),
    patience: optional(numberRule({ unit: 'seconds', above: 0 })),
    retries: FLAG,
    largest: optional(numberRule({ unit: 'bytes', from: 1, whole: true })),
    secret: optional(object('an object with called', SECRET)),
    requests: optional(object('an object such as { signing }', REQUESTS)),
  }
}

type Part = Shape[string]

function object(expected: string, shape: Shape): Part {
  return { ...rule(expected, isRecord), shape }
}

function objects(expected: string, shape: Shape): Part {
  return { ...nonEmpty(expected, rule('', isRecord)), shape }
}

function only(name: string, test: (value: unknown) => boolean): (value: unknown) => boolean {
  return (value) => isRecord(value) && Object.keys(value).join() === name && test(value[name])
}

function hasOnly(
  value: unknown,
  name: (name: unknown) => boolean,
  test: (value: unknown) => boolean,
): boolean {
  const entries = isRecord(value) ? Object.entries(value) : []
  return entries.length > 0 && entries.every(([key, one]) => name(key) && test(one))
}

function nonEmpty(expected: string, item: Rule<unknown>): Rule<unknown> {
  const list = listOf(expected, item)
  return rule(expected, (value) => list.is(value) && value.length > 0)
}
