import { schemeValueOf, sharesSecret } from '@webhook-receiver/schemes/neighbours'
import type { RequestText } from './request-text.ts'
import type { Service } from './services.ts'

/** 32 bytes in base64, for nobody. */
const TEXT = 'ZXhhbXBsZS1zZWNyZXQtb2Ytbm9ib2R5LWF0LWFsbCE='

/** Whether a request can be signed by an invented secret. */
export function hasExample(scheme: Service['scheme']): boolean {
  return scheme.sign !== undefined && scheme.compose !== undefined && sharesSecret(scheme)
}

/**
 * The usual mistake: the service signed an indented body, `express.json()` parsed it, and what is verified is what `JSON.stringify` wrote.
 * `undefined` where `hasExample` is false.
 */
export async function exampleOf({
  scheme,
  event,
  sample,
}: Service): Promise<(RequestText & { readonly secret: string }) | undefined> {
  if (!hasExample(scheme) || !scheme.sign || !scheme.compose) return undefined
  const secret = secretFor(scheme)
  const url = scheme.signsUrl ? 'https://example.com/webhooks' : ''
  const parts = { id: '7a1f2c7e-example', event, time: Date.now(), url }
  const { sent, body } = bodiesOf(scheme.compose(sample, parts))
  const key = await scheme.importKey(secret, 'The secret')
  const headers = await scheme.sign(key, sent, parts)
  return { secret, url, headers: Object.entries(headers), body }
}

/** What the service sent, and what the receiver verifies. Of a form: with a line feed that nobody signed. */
function bodiesOf(composed: Uint8Array) {
  const text = new TextDecoder().decode(composed)
  const bytes = (written: string) => Uint8Array.from(new TextEncoder().encode(written))
  if (!/^[[{]/.test(text)) return { sent: bytes(text), body: bytes(`${text}\n`) }
  const parsed: unknown = JSON.parse(text)
  return { sent: bytes(JSON.stringify(parsed, null, 2)), body: bytes(JSON.stringify(parsed)) }
}

/** A secret that the scheme accepts. */
function secretFor(scheme: Service['scheme']): string {
  const [{ secret = 'text', secretPrefix = scheme.secret?.begins ?? '' } = {}] =
    schemeValueOf(scheme)?.keys ?? []
  const hex = Array.from(atob(TEXT), (unit) => unit.charCodeAt(0).toString(16).padStart(2, '0'))
  return secretPrefix + (secret === 'hex' ? hex.join('') : TEXT)
}
