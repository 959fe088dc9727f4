import type { HeaderPlace, SchemeValue } from '../value.ts'

/** What a service says of itself that signs as Standard Webhooks describes. */
type Own = Partial<SchemeValue> & Pick<SchemeValue, 'name' | 'documentation' | 'checked' | 'secret'>

interface Standard extends Pick<SchemeValue, 'signature' | 'keys' | 'timestamp'> {
  readonly signed: readonly [HeaderPlace, ...SchemeValue['signed'], 'body']
  readonly id: readonly [HeaderPlace]
}

/**
 * The value of a service that signs as Standard Webhooks describes, with a shared secret: what it says of itself counts.
 *
 * @param names What its headers begin with. Those that send through Svix have a second set, which its SDK takes too.
 */
export function standard<const Given extends Own>(
  own: Given,
  names: 'webhook' | 'svix' = 'webhook',
): Omit<Standard, keyof Given> & Given {
  const place = (part: string): HeaderPlace => ({
    header: names === 'svix' ? [`svix-${part}`, `webhook-${part}`] : `webhook-${part}`,
  })
  return {
    signature: { ...place('signature'), encoding: 'base64', separator: ' ' },
    keys: [{ algorithm: 'hmac-sha256', secret: 'base64', secretPrefix: 'whsec_', prefix: 'v1,' }],
    requests: { recognised: { [`${names}-id`]: '' } },
    signed: [place('id'), { text: '.' }, 'timestamp', { text: '.' }, 'body'],
    timestamp: { at: place('timestamp'), unit: 's', tolerance: 300 },
    id: [place('id')],
    ...own,
  }
}
