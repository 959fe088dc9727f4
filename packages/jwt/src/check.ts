import { checkValue, ENDPOINT, oneOf } from '@webhook-receiver/core/internal'
import { ALGORITHMS } from './keys/algorithm.ts'
import type { JwtService, Place } from './service.ts'

const [HEADER, POINTER] = [/^[a-z\d-]+$/, /^(?:\/[^/]+)+$/]

/**
 * Checks how a service signs.
 *
 * @throws TypeError that says what to write instead: above all where tokens for others would be accepted.
 */
export function checkService(service: JwtService): void {
  const { name, token, algorithm, keys, body, id } = service
  checkValue('name', name, ENDPOINT)
  checkValue('algorithm', algorithm, oneOf(Object.keys(ALGORITHMS)))
  const isShared = keys !== 'secret' && keys.isShared
  const isMac = ALGORITHMS[algorithm].type === 'oct'
  const isInBody = 'property' in token
  const places = [id, service.event, service.action].flatMap((place) => place ?? [])
  const given = (names: readonly (keyof JwtService)[]) =>
    names.filter((each) => service[each] !== undefined).map((each) => `\`${each}\``)
  const others = given(['issuer', 'audience', 'url', 'tolerance', 'nested'])
  const faults: readonly (readonly [isWrong: boolean, fault: string])[] = [
    [
      isMac !== (keys === 'secret'),
      "`algorithm` should be HS256 with the keys 'secret', and another one with public keys: a public key that is taken for a shared secret lets everybody sign",
    ],
    [
      keys === 'secret' && service.account !== undefined,
      "`account` should be left out with the keys 'secret': the secret is that of one account",
    ],
    [
      isShared && !service.account,
      "`account` is missing: the same keys sign for many accounts, whose tokens would all be accepted. Pass 'email', a claim such as 'sub', or a function of the claims, which has to be the secret of the receiver",
    ],
    [
      keys !== 'secret' &&
        keys.needsAudience === true &&
        (typeof body === 'object' || body === 'unsigned') &&
        [service.audience ?? []].flat().filter(Boolean).length === 0,
      '`audience` is missing: a token of the same account that was made for another receiver would be accepted. Pass the audience that you set at the service',
    ],
    [
      isInBody !== (body === 'claims'),
      "`body` should be 'claims' if the token is in the body, and only then",
    ],
    [
      body === 'unsigned' && !id,
      '`id` is missing: the body is not signed, so nothing else tells deliveries apart',
    ],
    [
      body === 'detached' && others.length > 0,
      `${others.join(', ')} should be left out: a detached signature has no claims`,
    ],
    [body !== 'claims' && service.nested !== undefined, "`nested` needs the body 'claims'"],
    [
      !places.every((place) => isPlace(place)),
      "a place should be { header: 'x-id' }, in lower case, or { pointer: '/data/id' }",
    ],
    ['header' in token && !HEADER.test(token.header), '`token.header` should be in lower case'],
  ]
  const [, fault] = faults.find(([isWrong]) => isWrong) ?? []
  if (fault) throw new TypeError(`The service ${JSON.stringify(name)} cannot be used: ${fault}.`)
}

function isPlace(place: Place): boolean {
  return 'header' in place ? HEADER.test(place.header) : POINTER.test(place.pointer)
}
