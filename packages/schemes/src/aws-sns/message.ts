import { stringsOf, unescaped } from '@webhook-receiver/core/internal'
import type { Bytes } from '../crypto/crypto.ts'
import { decode } from '../engine/encoding.ts'

/** A message of SNS as its body says, before it is verified. */
export interface Message {
  readonly topic: string
  readonly version: '1' | '2'
  readonly signature: Bytes
  /** The URL of the certificate, which may be anywhere. */
  readonly certificate: string
  /** What is signed: name and value of each field, a line feed behind each. `undefined` if it has no bytes. */
  content(): Bytes | undefined
  /** What is signed, by name; `undefined` if it is not UTF-8. Making text of a long message takes time, so verify it first. */
  fields(): Fields | undefined
  /** What is signed, without the time: the fields but the message as text, and the bytes of the message. */
  identity(): readonly [text: string, bytes: Uint8Array]
}

export type Fields = Readonly<Record<string, string>>

const CONFIRMATION = [
  'Message',
  'MessageId',
  'SubscribeURL',
  'Timestamp',
  'Token',
  'TopicArn',
  'Type',
]

/** What is signed, in its order, by the type of the message. */
const FIELDS: Readonly<Record<string, readonly string[]>> = {
  Notification: ['Message', 'MessageId', 'Subject', 'Timestamp', 'TopicArn', 'Type'],
  SubscriptionConfirmation: CONFIRMATION,
  UnsubscribeConfirmation: CONFIRMATION,
}

const SIGNATURE = ['Signature', 'SignatureVersion', 'SigningCertURL']

/**
 * What a value looks like. Line feeds separate the parts, so only the first of them, the message, may have any: a `MessageId` of
 * `1\nSubject\nHi` would have the signed bytes of a message with a subject.
 */
const FORMS: Readonly<Record<string, RegExp>> = {
  MessageId: /^[\w-]{1,100}$/,
  Timestamp: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,6})?Z$/,
  SignatureVersion: /^[12]$/,
}
const ONE_LINE = /^[^\n]+$/

/** The bytes of any value but the message. The longest that SNS writes is a URL with a token. */
const MOST_BYTES = 8192

const NAMES = [...SIGNATURE, 'Subject', ...CONFIRMATION]

/**
 * Reads what is short: of a forged request, the long message is looked at last. `undefined` where something is missing or not as SNS
 * writes it: `onFault` gets the name of the field.
 */
export function readMessage(
  body: Uint8Array,
  onFault: (field: string) => void = () => {},
): Message | undefined {
  const fail = (field: string) => void onFault(field)
  const strings = stringsOf(body, NAMES)
  if (!strings) return undefined
  const message = strings.get('Message')
  if (!message) return fail('Message')
  const type = textOf(strings.get('Type'))
  if (type === undefined || !Object.hasOwn(FIELDS, type)) return fail('Type')
  const signed = FIELDS[type]?.filter((name) => name !== 'Subject' || strings.has(name)) ?? []
  const short: Record<string, string> = {}
  for (const name of [...signed, ...SIGNATURE].filter((each) => each !== 'Message')) {
    const text = textOf(strings.get(name))
    if (text === undefined || !(FORMS[name] ?? ONE_LINE).test(text)) return fail(name)
    short[name] = text
  }
  const { Signature, SignatureVersion, SigningCertURL: certificate = '', ...fields } = short
  const signature = decode('base64', Signature ?? '')
  if (!signature) return fail('Signature')
  return {
    topic: fields.TopicArn ?? '',
    version: SignatureVersion === '1' ? '1' : '2',
    signature,
    certificate,
    content() {
      const bytes = unescaped(message)
      const rest = Object.entries(fields).map(([name, value]) => `${name}\n${value}\n`)
      return bytes && joined([encode('Message\n'), bytes, encode(`\n${rest.join('')}`)])
    },
    fields() {
      const text = decoded(unescaped(message))
      return text === undefined ? undefined : { Message: text, ...fields }
    },
    identity() {
      const { Timestamp: _, ...rest } = fields
      return [JSON.stringify(rest), unescaped(message) ?? new Uint8Array()]
    },
  }
}

/** The text of a string that is short. */
function textOf(string: Uint8Array | undefined): string | undefined {
  return string && string.length <= MOST_BYTES ? decoded(unescaped(string)) : undefined
}

function joined(parts: readonly Uint8Array[]): Bytes {
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    bytes.set(part, at)
    at += part.length
  }
  return bytes
}

function decoded(bytes: Uint8Array | undefined): string | undefined {
  try {
    return bytes && decoder.decode(bytes)
  } catch {
    return undefined
  }
}

// With ignoreBOM a byte order mark stays in the text.
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

const encode = (text: string) => new TextEncoder().encode(text)
