import type { Scheme, SchemeKind } from '@webhook-receiver/core'
import { ALGORITHMS } from './keys/algorithm.ts'
import type { SigningSource } from './keys/source.ts'
import { jwtScheme, services } from './scheme.ts'
import { signToken } from './sign.ts'

/** A service that signs with a key of the test. */
export interface TestService<Kind extends SchemeKind> {
  /** Accepts what this key signed, and nothing that the service signs. */
  readonly scheme: Scheme<unknown, Kind>
  /** The token that says this, such as what a service would never sign. */
  readonly tokenOf: (claims: object) => Promise<string>
  /** The body that holds the token, where the service sends it so. */
  readonly bodyOf: (claims: object) => Promise<string>
}

/**
 * Makes a key pair in place of that of the service, for tests: only the service itself has the key that signs.
 *
 * @throws TypeError for a scheme of another package, and for one whose key is a shared secret, which signs already.
 *
 * @example
 * const { scheme } = await withTestKey(googlePubSub({ audience }))
 * await deliverTo(app, 'push', { message: { data: '…' } }, { scheme, secret: serviceAccount })
 */
export async function withTestKey<Kind extends SchemeKind>(
  given: Scheme<unknown, Kind>,
): Promise<TestService<Kind>> {
  const service = services.get(given)
  if (!service) throw new TypeError('Pass a scheme of @webhook-receiver/jwt.')
  if (service.keys === 'secret') {
    throw new TypeError(`${service.name} shares its secret, which signs: no other key is needed.`)
  }
  const { algorithm, token } = service
  const { type: _, ...how } = ALGORITHMS[algorithm]
  const size = { modulusLength: 2048, publicExponent: Uint8Array.of(1, 0, 1) }
  const pair = await crypto.subtle.generateKey({ ...how, ...size }, false, ['sign', 'verify'])
  if (!('privateKey' in pair)) throw new TypeError(`${algorithm} has no pair of keys.`)
  const { privateKey } = pair
  const signing = {
    id: 'test',
    sign: async (input: string) =>
      new Uint8Array(await crypto.subtle.sign(how, privateKey, new TextEncoder().encode(input))),
  }
  const keys: SigningSource = {
    ...service.keys,
    from: 'the test',
    signing,
    find: async () => pair.publicKey,
  }
  const tokenOf = (claims: object) =>
    signToken(service, signing, new TextEncoder().encode(JSON.stringify(claims)))
  return {
    // Of the same service, with other keys.
    scheme: jwtScheme({ ...service, keys }) as Scheme as Scheme<unknown, Kind>,
    tokenOf,
    async bodyOf(claims) {
      if (!('property' in token)) throw new TypeError(`${service.name} has no token in its body.`)
      return JSON.stringify({ [token.property]: await tokenOf(claims) })
    },
  }
}
