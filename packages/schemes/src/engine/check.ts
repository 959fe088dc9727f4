import { checkValue, isRecord } from '@webhook-receiver/core/internal'
import type { SchemeValue } from '../value.ts'
import { type Shape, shapes } from './shapes.ts'

/** @throws TypeError that names the property that is wrong. */
export function checkScheme(value: unknown): void {
  const { SCHEME, SIGNATURE, KEY, TIMESTAMP, HANDSHAKE, RESPONSE, SECRET, REQUESTS, GET_CHECK } =
    shapes()
  const checked = checkShape('the scheme', value, SCHEME) as object as SchemeValue
  const { signature, signed, timestamp, body = 'json', bodyDigest } = checked
  checkShape('signature', signature, SIGNATURE)
  for (const key of checked.keys) checkShape('keys', key, KEY)
  // With a public key that is taken for a shared secret, anyone could sign.
  const prefixes = checked.keys.map(({ secretPrefix = '' }) => secretPrefix)
  wrong(
    prefixes.some((prefix, at) => prefixes.some((one, to) => to !== at && one.startsWith(prefix))),
    'keys.secretPrefix',
    'tell several keys apart',
  )
  const bodies = signed.filter((part) => part === 'body' || part === 'form').length
  wrong(
    bodies !== 1,
    'signed',
    "have 'body' or 'form' once: a body that is not signed can be anyone's",
  )
  wrong(
    signed.includes('form') && body === 'json',
    'body',
    "be 'form' where the fields of a form are signed",
  )
  wrong(
    bodyDigest !== undefined && !signed.includes('url'),
    'bodyDigest',
    'be part of a signed URL',
  )
  const at = timestamp && checkShape('timestamp', timestamp, TIMESTAMP).at
  wrong(
    signed.includes('timestamp') && (!at || 'pointer' in Object(at)),
    'timestamp',
    'say where the signed timestamp is, before the body',
  )
  const fields = isRecord(at) && 'field' in at
  wrong(
    fields && !signature.field,
    'signature.field',
    'name the signatures, as the timestamp is in the same header',
  )
  wrong(
    fields && signature.separator === undefined,
    'signature.separator',
    'separate the fields of the header',
  )
  if (checked.getCheck) checkShape('getCheck', checked.getCheck, GET_CHECK)
  if (checked.secret) checkShape('secret', checked.secret, SECRET)
  if (checked.requests) checkShape('requests', checked.requests, REQUESTS)
  for (const handshake of checked.handshakes ?? []) {
    checkShape('handshakes', handshake, HANDSHAKE)
    checkShape('handshakes.response', handshake.response, RESPONSE)
    const { status, echo, json } = handshake.response
    wrong(
      (echo ?? json) !== undefined && (status === 204 || status === 205),
      'handshakes.response.status',
      'allow a body',
    )
  }
}

function wrong(found: boolean, name: string, should: string): void {
  if (found) throw new TypeError(`\`${name}\` of a scheme should ${should}.`)
}

function checkShape(what: string, value: unknown, table: Shape): Readonly<Record<string, unknown>> {
  if (!isRecord(value)) throw new TypeError(`\`${what}\` should be an object.`)
  for (const name in value) {
    if (Object.hasOwn(table, name)) continue
    const all = Object.keys(table).join(', ')
    throw new TypeError(
      `There is no property ${JSON.stringify(name)} in ${what}. There are: ${all}.`,
    )
  }
  for (const [name, rule] of Object.entries(table)) {
    checkValue(what === 'the scheme' ? name : `${what}.${name}`, value[name], rule)
  }
  return value
}
