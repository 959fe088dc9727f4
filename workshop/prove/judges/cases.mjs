import { createHash } from 'node:crypto'
import { mistakesOf, signedBy, signWrong } from '@webhook-receiver/schemes/neighbours'

/** The clock of the recorded vectors, in seconds. */
export const CLOCK = 1_795_392_000

export const ID = 'msg_2cVbUqcH1H8bGZV0XBmYz1'
const URL = 'https://example.com/webhooks?tenant=7'

const json = (text, more) =>
  Buffer.from(
    JSON.stringify({ type: 'note.created', webhookTimestamp: CLOCK * 1000, text, ...more }),
  )
const form = (text) =>
  Buffer.from(`MessageSid=SM1&Body=${encodeURIComponent(text)}&From=%2B4512345678`)

/** What a service cannot do without, besides an id that only its body has. */
const NEEDED = {
  // Recorded without an id, and so are the keys of every release since.
  ...{ gocardless: {}, paddle: {}, square: {}, stripe: {} },
  'discord-interactions': { id: '1', type: 2 },
  zoom: { event: 'note.created' },
  workos: { id: ID, event: 'note.created' },
  twitch: { subscription: { type: 'note.created', status: 'enabled' } },
  box: { id: ID, trigger: 'note.created' },
  'mcp-events': {
    type: undefined,
    eventId: ID,
    name: 'note.created',
    timestamp: '2026-11-23T00:00:00Z',
    data: {},
  },
  telnyx: { data: { id: ID, event_type: 'note.created' } },
  'coinbase-commerce': { event: { id: ID, type: 'note.created' } },
  'creem-legacy': { id: ID, eventType: 'note.created' },
  pagerduty: { event: { id: ID, event_type: 'note.created' } },
}

/** Bodies at which verifiers stumble. */
export const TEXTS = {
  plain: 'hello',
  'dollar and ampersand': "$& $$ $1 $` $'",
  emoji: '👩🏽‍🚀 ✓ é',
  'CR LF': 'a\r\nb\r\n',
  NUL: 'a\u0000b',
  'a line separator': '\u2028',
  '70 kB': '0123456789'.repeat(7000),
}

const RAW = {
  empty: Buffer.alloc(0),
  'a byte order mark': Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), json('x')]),
  'ends in CR LF': Buffer.concat([json('x'), Buffer.from('\r\n')]),
  'not JSON': Buffer.from('$&\u0000$$ {'),
  'Latin-1': Buffer.from('{"type":"caf\xe9"}', 'latin1'),
  'invalid UTF-8': Buffer.from([0x7b, 0xff, 0xfe, 0xc0, 0x80, 0x7d]),
}

/** What is signed for a service: each with a name, a body and a URL. */
export function signedCases({ name: scheme, value }) {
  const texts = Object.entries(TEXTS)
  if (scheme !== 'twilio') {
    const needed = NEEDED[scheme] ?? idIn(value)
    const written = texts.map(([name, text]) => [name, json(text, needed)])
    const bodies = [...written, ...Object.entries(RAW)]
    const cases = bodies.map(([name, body]) => ({ name, body, url: URL }))
    return scheme === 'hubspot' ? [...cases, ...escapedCases()] : cases
  }
  const extra = {
    'several values of one name': Buffer.from('B=2&A=x&B=1&B=2&a=1&C='),
    'plus and percent': Buffer.from('A=1+2%2B3&%C3%A9=%20'),
    empty: RAW.empty,
  }
  const forms = [...texts.map(([name, text]) => [name, form(text)]), ...Object.entries(extra)]
  const hashed = texts.map(([name, text]) => {
    const body = json(text)
    const digest = createHash('sha256').update(body).digest('hex')
    return { name: `JSON, ${name}`, body, url: `${URL}&bodySHA256=${digest}` }
  })
  return [
    ...forms.map(([name, body]) => ({ name, body, url: URL })),
    { name: 'with its port', body: form('x'), url: 'https://example.com:443/webhooks' },
    ...hashed,
  ]
}

/** Without its id there is no delivery: where only the body has it, this is the part of the body. */
function idIn({ id: [first, ...others] = [] }) {
  if (!first?.pointer || others.length > 0) return {}
  const [, ...names] = first.pointer.split('/')
  return names.reduceRight((inner, name) => ({ [name]: inner }), ID)
}

/** URLs of which HubSpot signs some escapes decoded, and others as they are. */
function escapedCases() {
  const urls = {
    'escapes that are decoded': `${URL}&to=a%40b.example&next=%2Fa%3Fb&x=%3A%21%24%27%28%29%2A%2C%3B`,
    'escapes in lower case': `${URL}&next=%3a%2f%2f`,
    'escapes in the path': 'https://example.com/web%40hooks/%28a%29',
    'other escapes': `${URL}&a=%20%23%25%26%2B%3D%5B%5D%C3%A9`,
  }
  return Object.entries(urls).map(([name, url]) => ({ name, body: json('hello'), url }))
}

/** A request as a sender signs it that makes a mistake, for each of them: none of these may be accepted. */
export async function mistakenCases(signed, scheme, signs = signed.secret) {
  if (signed.name !== 'plain') return []
  const parts = { id: ID, event: 'push', time: CLOCK * 1000, url: signed.url }
  const keyOf = (by) => by.importKey(signs, 'The secret', 'sign')
  const cases = mistakesOf(scheme.value).map(async ({ code, neighbours }) => {
    const first = (value, sent) => [...neighbours(value, sent)][0]?.value
    const made = await signWrong(signedBy(scheme, signs), first, keyOf, signed.body, parts)
    const headers = { ...signed.headers, ...made }
    return made ? [{ ...signed, headers, name: `plain: the mistake ${code}`, altered: true }] : []
  })
  return (await Promise.all(cases)).flat()
}

/** A signed request, altered: none of these may be accepted, and the SDK is asked as well. */
export function alteredCases(signed, { header: place, field, separator }, { prefix }) {
  const { name, body, url, headers } = signed
  if (name !== 'plain') return []
  const header = headers[place]
  const with_ = (value) => ({ headers: { ...headers, [place]: value } })
  const cases = {
    'another body': { body: flipped(body) },
    'a space behind the body': { body: Buffer.concat([body, Buffer.from(' ')]) },
    'no body': { body: Buffer.alloc(0) },
    'a signature in upper case': with_(header.toUpperCase()),
    'a cut signature': with_(header.slice(0, -4)),
    'a longer signature': with_(`${header}00`),
    ...(prefix && { 'no version in front': with_(header.replace(prefix, '')) }),
    'another signature': with_(
      header.replace(/.(?=.{9}$)/, (digit) => (digit === 'a' ? 'b' : 'a')),
    ),
    // Where several signatures are allowed, two header lines can be a list of them.
    ...(!separator && { 'the header twice': with_(`${header}, ${header}`) }),
  }
  for (const [timed, value] of Object.entries(headers)) {
    const time = (text) => ({ headers: { ...headers, [timed]: text } })
    if (/^\d{4}-\d\d-\d\dT/.test(value)) {
      cases['another timestamp'] = time(value.replace(/:00:00/, ':00:01'))
      cases['letters behind the timestamp'] = time(`${value}abc`)
      cases['an empty timestamp'] = time('')
      cases['no zone'] = time(value.slice(0, 19))
      cases['a space before the time'] = time(value.replace('T', ' '))
    }
    if (!/^(?:\d{10}|\d{13})$/.test(value)) continue
    cases['another timestamp'] = time(`${Number(value) - 1}`)
    cases['letters behind the timestamp'] = time(`${value}abc`)
    cases['an empty timestamp'] = time('')
    cases['a fraction of a second'] = time(`${value}.5`)
    cases[value.length === 10 ? 'milliseconds' : 'microseconds'] = time(`${value}000`)
  }
  if (field) {
    cases['another timestamp'] = with_(header.replace(`${CLOCK}`, `${CLOCK - 1}`))
    cases['letters behind the timestamp'] = with_(header.replace(/\d{10,13}/, '$&abc'))
    cases['an empty timestamp'] = with_(header.replace(/\d{10,13}/, ''))
  }
  if (/square|twilio-signature|hubspot/.test(place)) cases['another URL'] = { url: `${url}&x=1` }
  return Object.entries(cases).map(([what, change]) => ({
    ...signed,
    ...change,
    name: `${name}: ${what}`,
    altered: true,
  }))
}

/** The names of a header. */
export function namesOf({ header }) {
  return [header].flat()
}

/** The header of the signature, under whichever name it was sent. */
export function signatureIn(headers, { signature }) {
  return namesOf(signature)
    .map((name) => headers[name])
    .find((value) => value !== undefined)
}

/** The other names of headers that have several: a service sends all of one set. */
export function renamedCases(signed, { signature, signed: parts, timestamp, id = [], event = [] }) {
  const places = [signature, timestamp?.at, ...parts, ...id, ...event].filter((one) => one?.header)
  // Where each has a signature, they are no names of one header.
  const renamed = places
    .filter(({ each }) => !each)
    .map(namesOf)
    .filter(({ length }) => length > 1)
  if (signed.name !== 'plain' || renamed.length === 0) return []
  const headers = { ...signed.headers }
  for (const [first, second] of renamed) {
    if (first in headers) headers[second] = headers[first]
    delete headers[first]
  }
  return [{ ...signed, name: 'the other names of its headers', headers }]
}

/** A rotation: several signatures, of which one is of this secret. */
export function rotatedCases(signed, foreignHeaders, { header, separator, field }) {
  if (signed.name !== 'plain' || separator === undefined) return []
  const own = signed.headers[header]
  const foreign = foreignHeaders[header]
  // Behind the timestamp, which is there once.
  const added = (text) => (field ? text.slice(text.indexOf(separator) + separator.length) : text)
  const cases = {
    'its signature first': own + separator + added(foreign),
    'its signature last': foreign + separator + added(own),
    ...(separator === ' ' && { 'its signature first, and a comma': `${own}, ${foreign}` }),
    ...(separator === ', ' && {
      'no space behind the separator': own.replace(separator, ','),
    }),
  }
  return Object.entries(cases).map(([name, value]) => ({
    ...signed,
    name,
    headers: { ...signed.headers, [header]: value },
  }))
}

/** The same with its middle byte changed. */
function flipped(body) {
  const copy = Buffer.from(body)
  copy[body.length >> 1] ^= 1
  return copy
}
