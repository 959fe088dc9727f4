import {
  escapeControls,
  isRecord,
  listOf,
  type NumberRange,
  numberRule,
  oneOf,
  type Rule,
  rule,
  stringRule,
} from '@webhook-receiver/core/internal'
import type { SchemeValue } from '../value.ts'

/** A rule, the JSON Schema that says the same, and the shape of one that is an object, or an array of objects. */
export interface Property extends Rule<unknown> {
  readonly json: object
  readonly isOptional?: true
  readonly shape?: Shape
}

export interface Shape {
  readonly [name: string]: Property
}

/** What a scheme may hold. Made where one is defined: what is called at the top level, no bundler leaves out for those who define none. */
export function schemeShape(): { readonly [Name in keyof SchemeValue]-?: Property } {
  const TEXT = string('a non-empty string', /./s, { minLength: 1 })
  const NAME = string('letters and digits', /^\w+$/)
  const MAYBE_TEXT = optional(TEXT)
  // It stands in messages, which a terminal shows.
  const LINE = string('text in one line', /^[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+$/u)
  const MAYBE_LINE = optional(LINE)
  const POINTER = string('a JSON pointer', /^(?:\/[^/]*)+$/)
  const NAME_OF_HEADER = string('the name of a header in lower case', /^[!#-'*+.^`|~\da-z_-]+$/)
  const ANY_TEXT: Property = {
    ...rule('a string', (value) => typeof value === 'string'),
    json: { type: 'string' },
  }
  const NUMBER: Property = {
    ...rule('a number', (value) => typeof value === 'number'),
    json: { type: 'number' },
  }
  const HEADER = anyOf('the name of a header in lower case, or an array of its names', [
    NAME_OF_HEADER,
    nonEmpty('', NAME_OF_HEADER),
  ])
  const IN_HEADER = whole({ header: HEADER })
  const IN_BODY = whole({
    pointer: POINTER,
    form: MAYBE_TEXT,
    events: optional(nonEmpty('', LINE)),
  })
  const PLACES = optional(
    nonEmpty(
      "an array such as [{ header: 'x-id' }] or [{ pointer: '/id' }]",
      anyOf('', [IN_HEADER, IN_BODY]),
    ),
  )
  const PART = anyOf('', [
    choice(['timestamp', 'url', 'body', 'form']),
    IN_HEADER,
    whole({ text: TEXT }),
  ])

  const FLAG = optional({
    ...rule('true or false', (value) => typeof value === 'boolean'),
    json: { type: 'boolean' },
  })

  const SIGNATURE: Shape = {
    header: HEADER,
    encoding: choice(['hex', 'base64', 'base64url']),
    separator: MAYBE_LINE,
    field: MAYBE_LINE,
    each: FLAG,
  }

  const KEY: Shape = {
    algorithm: choice([
      'hmac-sha1',
      'hmac-sha256',
      'hmac-sha512',
      'ed25519',
      'ecdsa-p256',
      'rsa-sha256',
    ]),
    secret: choice(['text', 'hex', 'base64', 'spki', 'pem']),
    secretPrefix: MAYBE_LINE,
    prefix: MAYBE_LINE,
  }

  const TIMESTAMP: Shape = {
    at: anyOf("{ header: 'x-timestamp' }, { field: 't' } or { pointer: '/time' }", [
      IN_HEADER,
      IN_BODY,
      whole({ field: TEXT }),
    ]),
    unit: choice(['s', 'ms', 'rfc3339', 'utc', 'any']),
    tolerance: optional(number({ unit: 'seconds', above: 0 })),
  }

  const ANY_STATUS = number({ whole: true, from: 200, to: 299 })
  const STATUS: Property = {
    ...rule(
      'a whole number from 200 to 299, and not 205',
      (value) => ANY_STATUS.is(value) && value !== 205,
    ),
    json: { ...ANY_STATUS.json, not: { const: 205 } },
  }

  const RESPONSE: Shape = {
    status: STATUS,
    headers: optional(
      object("an object such as { 'content-type': 'text/plain' }", {
        // No other: cookies, or what a proxy takes for an order, are not for whoever describes a service to write.
        'content-type': choice([
          'text/plain',
          'text/plain; charset=utf-8',
          'application/json',
          'application/json; charset=utf-8',
        ]),
      }),
    ),
    echo: optional(POINTER),
    json: optional(
      record(
        "names with 'echo', 'mac' or a number each",
        ANY_TEXT,
        anyOf('', [choice(['echo', 'mac']), NUMBER]),
      ),
    ),
  }

  const HANDSHAKE: Shape = {
    name: LINE,
    // Without any, every delivery would be a handshake, and no handler would see it.
    when: record(
      'JSON pointers with a string or number each',
      POINTER,
      anyOf('', [ANY_TEXT, NUMBER]),
    ),
    begins: optional(
      object('an object with header and text', {
        header: NAME_OF_HEADER,
        text: LINE,
      }),
    ),
    exactly: FLAG,
    response: object('an object with status', RESPONSE),
  }

  const SECRET: Shape = {
    called: LINE,
    begins: MAYBE_LINE,
    mistaken: optional(
      record("beginnings with what they are, such as { sk_: 'an API key' }", LINE, LINE),
    ),
    several: MAYBE_LINE,
    chosen: FLAG,
    separator: MAYBE_LINE,
  }

  const MEDIA_TYPE = string('', /^[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+$/)

  const REPLIES: Shape = {
    statuses: record(
      "statuses with the media types of their bodies, such as { 200: ['application/json'] }",
      string('', /^[2-5]\d\d$/),
      list('', MEDIA_TYPE),
    ),
    instead: MAYBE_LINE,
  }

  const OTHER: Shape = {
    header: optional(NAME_OF_HEADER),
    begins: MAYBE_TEXT,
    body: MAYBE_TEXT,
    unsigned: FLAG,
    is: LINE,
  }

  const SECRET_AT: Shape = {
    header: optional(NAME_OF_HEADER),
    pointer: optional(POINTER),
    echo: FLAG,
  }

  const REQUESTS: Shape = {
    recognised: optional(
      record(
        "headers in lower case with how they begin, such as { 'user-agent': 'Acme' }",
        NAME_OF_HEADER,
        ANY_TEXT,
      ),
    ),
    signing: MAYBE_LINE,
    weak: optional(
      record(
        "headers in lower case with an algorithm, such as { 'x-old': 'SHA-1' }",
        NAME_OF_HEADER,
        LINE,
      ),
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
        digits: number({ whole: true, from: 1, to: 64 }),
      }),
    ),
  }

  const GET_CHECK: Shape = {
    name: LINE,
    when: optional(record('fields of a query with a text each', TEXT, TEXT)),
    token: MAYBE_LINE,
    echo: LINE,
  }

  return {
    name: string(
      '1 to 64 letters, digits, dots, hyphens and underscores, and not contract',
      /^(?!contract$)[\w.-]{1,64}$/,
    ),
    title: MAYBE_LINE,
    documentation: MAYBE_LINE,
    revision: MAYBE_LINE,
    checked: string(
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
    action: optional(
      nonEmpty("an array such as [{ pointer: '/action' }]", whole({ pointer: POINTER })),
    ),
    body: optional(choice(['json', 'form', 'json or form'])),
    jsonField: MAYBE_TEXT,
    subscription: optional(object('an object with header', { header: HEADER })),
    handshakes: optional(objects('an array of objects with name, when and response', HANDSHAKE)),
    getCheck: optional(object('an object with name and echo', GET_CHECK)),
    headCheck: FLAG,
    originCheck: optional(
      string(
        "the name of a host, such as 'events.example.com'",
        /^[a-z\d](?:[a-z\d.-]{0,251}[a-z\d])?$/,
      ),
    ),
    secretOffer: optional(string("'x-hook-secret'", /^x-hook-secret$/)),
    emptyRejections: FLAG,
    decision: FLAG,
    replies: optional(object('an object with statuses', REPLIES)),
    success: optional(STATUS),
    patience: optional(number({ unit: 'seconds', above: 0 })),
    retries: FLAG,
    largest: optional(number({ unit: 'bytes', from: 1, whole: true })),
    secret: optional(object('an object with called', SECRET)),
    requests: optional(object('an object such as { signing }', REQUESTS)),
  }
}

function string(
  expected: string,
  pattern: RegExp,
  json: object = { pattern: pattern.source },
): Property {
  return { ...stringRule(expected, pattern), json: { type: 'string', ...json } }
}

function number(range: NumberRange): Property {
  const { whole, from, to, above } = range
  return {
    ...numberRule(range),
    json: {
      type: whole ? 'integer' : 'number',
      minimum: from,
      maximum: to,
      exclusiveMinimum: above,
    },
  }
}

function choice(values: readonly string[]): Property {
  return { ...oneOf(values), json: { enum: values } }
}

function optional(given: Property): Property {
  const { is } = rule<unknown>('', (value) => value === undefined || given.is(value))
  return { ...given, is, isOptional: true }
}

function anyOf(expected: string, rules: readonly Property[]): Property {
  return {
    ...rule(expected, (value) => rules.some(({ is }) => is(value))),
    json: { anyOf: rules.map(({ json }) => json) },
  }
}

function list(expected: string, item: Property): Property {
  return { ...listOf(expected, item), json: { type: 'array', items: item.json } }
}

function nonEmpty(expected: string, item: Property): Property {
  const { is, json } = list(expected, item)
  return {
    ...rule(expected, (value) => is(value) && Array.isArray(value) && value.length > 0),
    doubt: (value) => (Array.isArray(value) ? misplaced(value, item) : undefined),
    json: { ...json, minItems: 1 },
  }
}

/** Which part of a list is wrong. */
function misplaced(parts: readonly unknown[], { is }: Property): string | undefined {
  const at = parts.findIndex((part) => !is(part))
  const written = JSON.stringify(parts[at])?.slice(0, 100)
  return at < 0 ? undefined : `has ${escapeControls(`${written}`)} at [${at}].`
}

/** An object with any names, at least one. */
function record(expected: string, name: Property, value: Property): Property {
  return {
    ...rule(expected, (given) => {
      const entries = isRecord(given) ? Object.entries(given) : []
      return entries.length > 0 && entries.every(([key, one]) => name.is(key) && value.is(one))
    }),
    json: {
      type: 'object',
      propertyNames: name.json,
      additionalProperties: value.json,
      minProperties: 1,
    },
  }
}

/** An object whose properties are named in messages. */
function object(expected: string, shape: Shape): Property {
  return { ...rule(expected, isRecord), json: jsonOf(shape), shape }
}

/** At least one of them. */
function objects(expected: string, shape: Shape): Property {
  const one = object('', shape)
  return { ...nonEmpty(expected, one), shape }
}

/** An object that is checked as a whole: it may be one of several. */
function whole(shape: Shape): Property {
  const isWhole = (value: unknown) =>
    isRecord(value) &&
    Object.keys(value).every((name) => Object.hasOwn(shape, name)) &&
    Object.entries(shape).every(([name, { is }]) => is(value[name]))
  return { ...rule('', isWhole), json: jsonOf(shape) }
}

/** The JSON Schema of an object with these properties, and no others. */
export function jsonOf(shape: Shape): object {
  const all = Object.entries(shape)
  return {
    type: 'object',
    properties: Object.fromEntries(all.map(([name, { json }]) => [name, json])),
    required: all.flatMap(([name, { isOptional }]) => (isOptional ? [] : [name])),
    additionalProperties: false,
  }
}
