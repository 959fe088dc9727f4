import type { ExpectSecret, Handshake, Scheme } from '@webhook-receiver/core'
import { rejection, rejectionOf, withTimeout } from '@webhook-receiver/core/internal'
import type { SchemeValue } from '../value.ts'
import { headerAt } from './place.ts'

/** Makes the function that takes a secret in this header, by sending it back once the application has saved it. */
export function secretTaker(
  { signature }: SchemeValue,
  name: string,
): NonNullable<Scheme['takeSecret']> {
  return ({ query, header }, expectSecret, seconds) => {
    const secret = header(name)
    if (!secret || headerAt(signature, header)) return undefined
    if (!/^[!-~]{16,512}$/.test(secret)) {
      throw rejection('signature_malformed', {
        header: name,
        expected: '16 to 512 visible ASCII characters',
        fault: `has ${secret.length} characters`,
      })
    }
    const offer = { token: tokenIn(query), secret }
    return taken(name, offer, expectSecret, seconds)
  }
}

async function taken(
  name: string,
  offer: Parameters<ExpectSecret>[0],
  expectSecret: ExpectSecret,
  seconds: number,
): Promise<Handshake> {
  // Only `true`: what somebody forgot to return must not take a secret.
  if ((await asked(offer, expectSecret, seconds)) === true) {
    return { name, response: { status: 200, headers: { [name]: offer.secret } } }
  }
  throw rejection('check_rejected', {
    what: '`expectSecret` did not take the secret for the token of this URL: nobody waits for it, or there is one already',
  })
}

async function asked(
  offer: Parameters<ExpectSecret>[0],
  expectSecret: ExpectSecret,
  seconds: number,
): Promise<unknown> {
  const late = () => rejection('secret_unavailable', { seconds })
  try {
    return await withTimeout(seconds, Promise.resolve(expectSecret(offer)), late)
  } catch (cause) {
    throw rejectionOf(cause, () => rejection('secret_unavailable', undefined, { cause }))
  }
}

/** The token in the URL that the application registered. */
function tokenIn(query: string): string {
  const [token = '', ...others] = new URLSearchParams(query).getAll('token')
  if (others.length === 0 && /^[\w.-]{16,256}$/.test(token)) return token
  throw rejection('check_rejected', {
    what: 'the URL has no field `token` of 16 to 256 letters, digits, dots, hyphens and underscores',
  })
}
