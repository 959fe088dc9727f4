import { prepareDelivery } from '@webhook-receiver/core/testing'
import type { ChosenScheme } from '../options/index.ts'
import { FORM, sendsForms } from '../signing/form.ts'
import { INSTANCE, type ProbeRequest, type ProbeSettings } from './request.ts'

/** What the requests of a run have in common. */
export interface SchemeSettings extends ChosenScheme, Omit<ProbeSettings, 'data'> {
  readonly url: URL
  /** What the body holds, besides what the service adds. */
  readonly data: Readonly<Record<string, unknown>> | undefined
}

/** How a request differs from a plain valid delivery. */
export interface SchemeVariant {
  readonly text?: string
  readonly tamper?: 'wrong-secret' | 'stale'
  /** Writes the body in another way, before it is signed. */
  readonly write?: (body: string) => string
  /** Changes what was signed. */
  readonly change?: (request: ProbeRequest) => Partial<ProbeRequest>
}

/** A delivery as the service signs it, except for what the variant changes. */
export async function schemeRequest(
  { scheme, publicUrl, secret, url, event, data, now }: SchemeSettings,
  { text = INSTANCE, tamper, write, change }: SchemeVariant = {},
): Promise<ProbeRequest> {
  const id = crypto.randomUUID()
  const { compose } = scheme
  const content = { text, ...data, ...(text !== INSTANCE && { text }) }
  const prepared = await prepareDelivery(event, content, {
    ...{ publicUrl, secret, id, now, tamper },
    scheme: {
      ...scheme,
      ...(write && {
        compose: (data, parts) =>
          Buffer.from(write(`${Buffer.from(compose?.(data, parts) ?? JSON.stringify(data))}`)),
      }),
    },
    path: `${url.pathname}${url.search}`,
    ...(sendsForms(scheme) && { headers: { 'content-type': FORM } }),
  })
  const headers = Object.entries(prepared.headers)
  const request: ProbeRequest = { id, headers, body: Buffer.from(prepared.body) }
  return { ...request, ...change?.(request) }
}
