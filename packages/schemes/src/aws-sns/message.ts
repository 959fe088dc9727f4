/** A message of SNS as its body says, before it is verified. */
export type Message = Readonly<Record<string, unknown>>

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

/**
 * What a value looks like. Line feeds separate the parts, so only the first of them, the message, may have any: a `MessageId` of
 * `1\nSubject\nHi` would have the signed bytes of a message with a subject.
 */
const FORMS: Readonly<Record<string, RegExp>> = {
  Message: /^/,
  MessageId: /^[\w-]{1,100}$/,
  Timestamp: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,6})?Z$/,
}
const ONE_LINE = /^[^\n]+$/

/** The fields of a message that its signature covers; `undefined` where one is missing or not as SNS writes it. */
export function signedFields(message: Message): Readonly<Record<string, string>> | undefined {
  const { Type: type } = message
  if (typeof type !== 'string' || !Object.hasOwn(FIELDS, type)) return undefined
  const found: Record<string, string> = {}
  for (const name of FIELDS[type] ?? []) {
    const value = Object.hasOwn(message, name) ? message[name] : undefined
    if (value === undefined && name === 'Subject') continue
    if (typeof value !== 'string' || !(FORMS[name] ?? ONE_LINE).test(value)) return undefined
    // Half a character has no bytes of its own: U+FFFD is signed in its place.
    if (/\p{Cs}/u.test(value)) return undefined
    found[name] = value
  }
  return found
}

/** Name and value of each field, a line feed behind each. */
export function signedText(fields: Readonly<Record<string, string>>): string {
  return Object.entries(fields)
    .map(([name, value]) => `${name}\n${value}\n`)
    .join('')
}
