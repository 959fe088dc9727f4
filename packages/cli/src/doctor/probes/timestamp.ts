import type { Scheme } from '@webhook-receiver/core'
import { headerValue, withHeader } from '@webhook-receiver/emulator/internal'
import {
  namesOf,
  type SchemeValue,
  type Sent,
  schemeValueOf,
  sentOf,
  timestampHeader,
} from '@webhook-receiver/schemes/neighbours'
import type { ProbeRequest, Variant } from '../request.ts'

type Headers = ProbeRequest['headers']

function sentIn(value: SchemeValue, headers: Headers): Sent {
  return sentOf(value, (name) => headerValue(headers, name))
}

/** A change of the timestamp that was signed. */
export function timestampTo(
  change: (sent: string, now: number) => string,
): NonNullable<Variant['change']> {
  return ({ headers }, { scheme, now }) => {
    const value = schemeValueOf(scheme)
    const [name, text] = value ? timestampIn(value, headers) : []
    const sent = value && sentIn(value, headers).timestamp
    if (!name || !text || !sent) return {}
    return { headers: withHeader(headers, name, text.replace(sent, change(sent, now()))) }
  }
}

/** The header that holds the timestamp. */
function timestampIn(value: SchemeValue, headers: Headers): readonly string[] {
  const name = timestampHeader(value).find((one) => headerValue(headers, one) !== undefined)
  return name === undefined ? [] : [name, headerValue(headers, name) ?? '']
}

/** The time in headers that no service signs, and some receivers look at. */
export function clocksBeside(headers: Headers, now: number): Headers {
  const seconds = `${Math.floor(now / 1000)}`
  const clocks = [
    ['Date', new Date(now).toUTCString()],
    ...['X-Timestamp', 'X-Request-Timestamp', 'X-Signature-Timestamp', 'Timestamp'].map(
      (name) => [name, seconds] as const,
    ),
  ] as const
  return clocks.filter(([name]) => headerValue(headers, name) === undefined)
}

/** Without the header of the timestamp, or without its field. */
export function withoutTimestamp(
  { headers }: ProbeRequest,
  { scheme }: { readonly scheme: Scheme },
): Partial<ProbeRequest> {
  const value = schemeValueOf(scheme)
  const at = value?.timestamp?.at
  if (!value || !at || 'pointer' in at) return {}
  if ('header' in at) {
    return { headers: headers.filter(([name]) => !namesOf(at).includes(name.toLowerCase())) }
  }
  const { separator = ',' } = value.signature
  const isField = (pair: string) => pair.trim().startsWith(`${at.field}=`)
  const [name, text = ''] = timestampIn(value, headers)
  if (!name) return {}
  const rest = text.split(separator).filter((pair) => !isField(pair))
  return { headers: withHeader(headers, name, rest.join(separator)) }
}
