import {
  BOOLEAN,
  checkValue,
  ENDPOINT,
  functionRule,
  inQuotes,
  isCallable,
  isRecord,
  listOf,
  numberRule,
  oneOf,
  optional,
  type Rule,
  rule,
  stringRule,
  suggestion,
} from '@webhook-receiver/core/internal'
import { ALGORITHMS } from './keys/algorithm.ts'
import type { JwtService, Place } from './service.ts'

const [HEADER, POINTER] = [/^[a-z\d-]+$/, /^(?:\/[^/]+)+$/]

const RULES = /* @__PURE__ */ ruleTable()

/** Of each property, what it should be. A wrong value of those with `ANY` lets nobody in. */
/* @__NO_SIDE_EFFECTS__ */
function ruleTable(): { readonly [Name in keyof JwtService]-?: Rule<unknown> } {
  const ANY = rule('', () => true)
  const FLAG = optional(BOOLEAN)
  const TEXTS = optional(
    rule('a text or an array of texts', (value) => {
      return [value].flat().every(isText) && `${value}` !== ''
    }),
  )
  return {
    name: ENDPOINT,
    title: ANY,
    token: rule(
      '{ header, bearer: true }, { header } or { property }',
      (value) =>
        has(value, { header: isText, bearer: FLAG.is }) || has(value, { property: isText }),
    ),
    algorithm: oneOf(Object.keys(ALGORITHMS)),
    keys: rule(
      "'secret', jwks(), keyById() or certificateChain()",
      (value) => value === 'secret' || (isRecord(value) && isCallable(value.find)),
    ),
    body: rule(
      "'detached', 'claims', 'unsigned', or { claim, encoding } with the encoding 'hex', 'base64' or 'base64url'",
      (value) => BODIES.is(value) || has(value, { claim: isText, encoding: ENCODINGS.is }),
    ),
    mayBeEmpty: FLAG,
    issuer: TEXTS,
    audience: TEXTS,
    account: optional(rule('a claim or a function', (value) => isText(value) || isCallable(value))),
    url: optional(rule('a claim', isText)),
    check: optional(functionRule('a function')),
    nested: optional(listOf("an array such as ['/data/token']", stringRule('', POINTER))),
    expires: FLAG,
    tolerance: optional(numberRule({ unit: 'seconds', above: 0 })),
    id: ANY,
    withoutId: ANY,
    event: ANY,
    action: ANY,
    success: ANY,
    patience: ANY,
    largest: ANY,
    replies: ANY,
    secret: ANY,
    requests: ANY,
  }
}

const BODIES = /* @__PURE__ */ oneOf(['detached', 'claims', 'unsigned'])
const ENCODINGS = /* @__PURE__ */ oneOf(['base64', 'base64url', 'hex'])

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== ''
}

/** Whether a value is an object with these properties and no others. */
function has(
  value: unknown,
  shape: Readonly<Record<string, (value: unknown) => boolean>>,
): boolean {
  return (
    isRecord(value) &&
    Object.keys(value).every((name) => Object.hasOwn(shape, name)) &&
    Object.entries(shape).every(([name, is]) => is(value[name]))
  )
}

/**
 * Checks how a service signs.
 *
 * @throws TypeError that says what to write instead: above all where tokens for others would be accepted.
 */
export function checkService(service: JwtService): void {
  checkNames(service)
  const { name, token, algorithm, keys, body, id } = service
  for (const part of ['name', 'token', 'algorithm', 'keys', 'body'] as const) {
    checkValue(part, service[part], RULES[part])
  }
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
  for (const [part, rule] of Object.entries(RULES)) {
    checkValue(part, Reflect.get(service, part), rule)
  }
}

/** A property that is misspelt checks nothing, and TypeScript does not see it: the type of a service is inferred. */
function checkNames(service: unknown): void {
  if (!isRecord(service)) throw new TypeError('Pass an object that says how the service signs.')
  const known = Object.keys(RULES)
  for (const name in service) {
    if (known.includes(name)) continue
    throw new TypeError(
      `There is no property ${inQuotes(name)} of a service. ${suggestion(name, known)}There are: ${known.join(', ')}.`,
    )
  }
}

function isPlace(place: Place): boolean {
  if (!isRecord(place)) return false
  return 'header' in place ? HEADER.test(place.header) : POINTER.test(place.pointer)
}
