import type { Scheme } from '@webhook-receiver/core'
import { isRecord } from '@webhook-receiver/core/internal'
import type { Capture } from '@webhook-receiver/quarantine/internal'

/** Requests that hold a secret hold little else, in bytes. */
const LARGEST = 65_536

/** The secret that a service sends in a request before it signs any, if this is such a request. */
export function sentSecret(
  { headers, body }: Pick<Capture, 'headers' | 'body'>,
  { requests: { secretAt = {} } = {} }: Pick<Scheme, 'requests'>,
): string | undefined {
  const { header, pointer } = secretAt
  const [, found] = headers.find(([name]) => name.toLowerCase() === header) ?? []
  const secret = pointer === undefined ? found : valueAt(body, pointer)
  return typeof secret === 'string' && /^[\x21-\x7e]{8,512}$/.test(secret) ? secret : undefined
}

/** The headers that confirm it, where the service waits for that. */
export function confirmation(
  secret: string | undefined,
  { requests: { secretAt } = {} }: Pick<Scheme, 'requests'>,
): Readonly<Record<string, string>> {
  const { header, echo } = secretAt ?? {}
  return secret !== undefined && header !== undefined && echo ? { [header]: secret } : {}
}

/** The value at a pointer (RFC 6901) into JSON. */
function valueAt(body: Uint8Array, pointer: string): unknown {
  if (body.length > LARGEST) return undefined
  try {
    const steps = pointer.split('/').slice(1)
    return steps.reduce<unknown>(
      (value, step) => {
        const name = step.replaceAll('~1', '/').replaceAll('~0', '~')
        return isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined
      },
      JSON.parse(new TextDecoder().decode(body)),
    )
  } catch {
    return undefined
  }
}
