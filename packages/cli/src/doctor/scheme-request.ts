import { prepareDelivery } from '@webhook-receiver/core/testing'
import type { ChosenScheme } from '../options/index.ts'
import { INSTANCE, type ProbeRequest, type ProbeSettings, type Variant } from './request.ts'

/** What the requests of a run have in common. */
interface SchemeSettings extends ChosenScheme, Omit<ProbeSettings, 'data'> {
  readonly url: URL
  /** What the body holds, besides what the service adds. */
  readonly data: Readonly<Record<string, unknown>> | undefined
}

/** A delivery as another service signs it. Any other secret is a wrong one, and any other time yesterday. */
export async function schemeRequest(
  { scheme, publicUrl, secret, url, event, data, now, oversize }: SchemeSettings,
  variant: Variant = {},
): Promise<ProbeRequest> {
  const id = crypto.randomUUID()
  const { compose } = scheme
  const { format, unsigned, change } = variant
  const text = variant.large ? 'x'.repeat(oversize) : variant.text
  const content = { text: INSTANCE, ...data, ...(text !== undefined && { text }) }
  const prepared = await prepareDelivery(event, content, {
    ...{ publicUrl, secret, id, now },
    tamper: variant.secret ? 'wrong-secret' : variant.ahead ? 'stale' : undefined,
    scheme: {
      ...scheme,
      ...(format && {
        compose: (data, parts) =>
          Buffer.from(
            format(JSON.parse(`${Buffer.from(compose?.(data, parts) ?? JSON.stringify(data))}`)),
          ),
      }),
    },
    path: `${url.pathname}${url.search}`,
  })
  const headers = Object.entries(prepared.headers)
  const request: ProbeRequest = {
    id,
    headers: headers.filter(([name]) => !unsigned || !scheme.headers.includes(name)),
    body: Buffer.from(prepared.body),
  }
  return { ...request, ...change?.(request, { secret, now }) }
}
