import { checkValue, inQuotes, isRecord, suggestion } from '@webhook-receiver/core/internal'
import type { Encoding, KeyForm, SchemeValue } from '../value.ts'
import { boundedCopy } from './bounds.ts'
import { isHeader, isText } from './coverage.ts'
import { namesOf } from './place.ts'
import { type Shape, schemeShape } from './shapes.ts'

/**
 * A copy of a value, as it was checked.
 *
 * @throws TypeError that names the property that is wrong.
 */
export function checkedScheme(given: unknown): SchemeValue {
  const value = boundedCopy(given)
  checkShape('', value, schemeShape())
  const {
    signature,
    signed,
    keys,
    timestamp,
    event,
    action,
    body,
    bodyDigest,
    handshakes,
    requests,
    subscription,
    id,
    idIsOptional,
    jsonField,
    urlSpellings,
    urlDecoded,
  } = value as SchemeValue
  // With a public key that is taken for a shared secret, anyone could sign.
  const prefixes = keys.map(({ secretPrefix = '' }) => secretPrefix)
  wrong(
    prefixes.some((prefix, at) => prefixes.some((one, to) => to !== at && one.startsWith(prefix))),
    'keys.secretPrefix',
    'tell several keys apart',
  )
  wrong(
    !keys.every(isWritten),
    'keys.secret',
    "be 'text', 'hex' or 'base64' of a shared secret, 'pem' or 'spki' of a public key, and 'hex' or 'base64' only of one of ed25519",
  )
  checkSeparator(signature, keys, timestamp)
  wrong(
    signature.each &&
      (namesOf(signature).length < 2 ||
        signature.separator !== ';' ||
        signature.field !== undefined),
    'signature.each',
    "be for several headers, whose separator is ';', and have no field",
  )
  const bodies = signed.filter((part) => part === 'body' || part === 'form').length
  wrong(
    bodies !== 1,
    'signed',
    "have 'body' or 'form' once: a body that is not signed can be anyone's",
  )
  wrong(
    signed.filter((part) => part === 'url').length > 1,
    'signed',
    "have 'url' once: each is compared in all of its spellings",
  )
  wrong(
    signed.includes('form') && (body ?? 'json') === 'json',
    'body',
    "be 'form' where the fields of a form are signed",
  )
  wrong(
    bodyDigest !== undefined && !signed.includes('url'),
    'bodyDigest',
    'be part of a signed URL',
  )
  wrong(
    bodyDigest !== undefined && signed.includes('form') && !bodyDigest.form,
    'bodyDigest.form',
    'say what every form has: whoever names its fields could write a digest at the end',
  )
  wrong(
    signed.includes('timestamp') && (!timestamp || 'pointer' in timestamp.at),
    'timestamp',
    'say where the signed timestamp is, before the body',
  )
  const behind = signed[signed.indexOf('timestamp') + 1]
  wrong(
    (timestamp?.unit === 'any' || timestamp?.unit === 'utc') &&
      signed.includes('timestamp') &&
      behind !== undefined &&
      !isText(behind),
    'timestamp.unit',
    'be one of the others, as no text behind the timestamp says where it ends',
  )
  wrong(
    (urlSpellings || urlDecoded !== undefined) && !signed.includes('url'),
    urlSpellings ? 'urlSpellings' : 'urlDecoded',
    'be part of a signed URL',
  )
  wrong(
    urlSpellings && urlDecoded !== undefined,
    'urlDecoded',
    'be left out where `urlSpellings` is true',
  )
  wrong(jsonField !== undefined && (body ?? 'json') === 'json', 'jsonField', 'belong to a form')
  wrong(idIsOptional && !id, 'idIsOptional', 'belong to an `id`')
  wrong(action !== undefined && !event, 'action', 'belong to an `event`')
  const isField = timestamp !== undefined && 'field' in timestamp.at
  wrong(
    isField && !signature.field,
    'signature.field',
    'name the signatures, as the timestamp is in the same header',
  )
  wrong(
    isField && signature.separator === undefined,
    'signature.separator',
    'separate the fields of the header',
  )
  wrong(
    requests?.others?.some((other) => other.header === undefined && other.body === undefined),
    'requests.others',
    'have the header or the text of the body that shows it',
  )
  const { header, pointer } = requests?.secretAt ?? { header: '' }
  wrong(
    (header === undefined) === (pointer === undefined),
    'requests.secretAt',
    'have either a header or a pointer',
  )
  wrong(
    handshakes?.some(
      ({ response: { status, echo, json } }) => (echo ?? json) !== undefined && status === 204,
    ),
    'handshakes.response.status',
    'allow a body',
  )
  const isSigned = (name: string) =>
    signed.some((part) => isHeader(part) && namesOf(part).includes(name))
  wrong(
    handshakes?.some(({ begins }) => begins && !isSigned(begins.header)),
    'handshakes.begins.header',
    'be signed: anyone could write another one',
  )
  wrong(
    handshakes?.some(
      ({ when, exactly, response: { echo = '' } }) =>
        exactly && [...Object.keys(when), echo].some((pointer) => pointer.lastIndexOf('/') > 0),
    ),
    'handshakes.exactly',
    'be for values that are in no other object',
  )
  wrong(
    subscription && namesOf(subscription).some(isSigned),
    'subscription',
    'be another header than those that are signed: the secret is found by it',
  )
  return value as SchemeValue
}

/** Whether a secret can be written like this for its algorithm. */
function isWritten({ algorithm, secret }: KeyForm): boolean {
  const isDigits = secret === 'hex' || secret === 'base64'
  if (algorithm.startsWith('hmac')) return isDigits || secret === 'text'
  return secret === 'pem' || secret === 'spki' || (isDigits && algorithm === 'ed25519')
}

const DIGITS: Readonly<Record<Encoding, RegExp>> = {
  hex: /^[\da-f]+$/,
  base64: /^[\w+/=]+$/,
  base64url: /^[\w-]+$/,
}

/** Where a header would be cut at other places than the service means, no signature in it could be read. */
function checkSeparator(
  { separator, field, encoding }: SchemeValue['signature'],
  keys: SchemeValue['keys'],
  timestamp: SchemeValue['timestamp'],
): void {
  const time = timestamp && 'field' in timestamp.at ? timestamp.at.field : undefined
  const cuts = (text: string) => separator !== undefined && text.includes(separator)
  wrong(
    separator !== undefined && DIGITS[encoding].test(separator),
    'signature.separator',
    'have a character that no signature has',
  )
  for (const [name, text = ''] of [
    ['signature.field', field],
    ['timestamp.at.field', time],
  ] as const) {
    wrong(text.includes('=') || cuts(text), name, 'be a name without "=" and the separator')
  }
  wrong(
    field !== undefined && field === time,
    'timestamp.at.field',
    'be another one than `signature.field`',
  )
  wrong(
    keys.some(({ prefix = '' }) => cuts(prefix)),
    'keys.prefix',
    'be without the separator of the signatures',
  )
}

function wrong(found: boolean | undefined, name: string, should: string): void {
  if (found) throw new TypeError(`\`${name}\` of a scheme should ${should}.`)
}

function checkShape(path: string, value: unknown, shape: Shape): void {
  if (!isRecord(value)) throw new TypeError(`\`${path || 'the scheme'}\` should be an object.`)
  for (const name in value) {
    if (Object.hasOwn(shape, name)) continue
    const all = Object.keys(shape)
    throw new TypeError(
      `There is no property ${inQuotes(name)} in ${path || 'the scheme'}. ${suggestion(name, all)}There are: ${all.join(', ')}.`,
    )
  }
  for (const [name, rule] of Object.entries(shape)) {
    const place = path ? `${path}.${name}` : name
    const given = checkValue(place, value[name], rule)
    if (!rule.shape || given === undefined) continue
    for (const part of Array.isArray(given) ? given : [given]) checkShape(place, part, rule.shape)
  }
}
