import { schemeValueOf } from '@webhook-receiver/schemes/neighbours'
import type { RequestText } from './request-text.ts'
import type { Service } from './services.ts'

/** 32 bytes in base64, for nobody. */
const TEXT = 'ZXhhbXBsZS1zZWNyZXQtb2Ytbm9ib2R5LWF0LWFsbCE='

/** The usual mistake: `express.json()` came first, and what is verified is the body written again. `undefined` where only the service can sign. */
export async function exampleOf({
  scheme,
  event,
  sample,
}: Service): Promise<(RequestText & { readonly secret: string }) | undefined> {
  if (!scheme.sign || !scheme.compose) return undefined
  const secret = secretFor(scheme)
  const url = scheme.signsUrl ? 'https://example.com/webhooks' : ''
  const parts = { id: '7a1f2c7e-example', event, time: Date.now(), url }
  const body = scheme.compose(sample, parts)
  const key = await scheme.importKey(secret, 'The secret')
  const headers = await scheme.sign(key, Uint8Array.from(body), parts)
  return { secret, url, headers: Object.entries(headers), body: writtenAgain(body) }
}

function writtenAgain(body: Uint8Array): Uint8Array {
  const text = new TextDecoder().decode(body)
  const again = /^[[{]/.test(text) ? JSON.stringify(JSON.parse(text), null, 2) : `${text}\n`
  return new TextEncoder().encode(again)
}

/** A secret that the scheme accepts. */
function secretFor(scheme: Service['scheme']): string {
  const [{ secret = 'text', secretPrefix = scheme.secret?.begins ?? '' } = {}] =
    schemeValueOf(scheme)?.keys ?? []
  const hex = Array.from(atob(TEXT), (unit) => unit.charCodeAt(0).toString(16).padStart(2, '0'))
  return secretPrefix + (secret === 'hex' ? hex.join('') : TEXT)
}
