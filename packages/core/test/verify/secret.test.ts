import { bodyScheme } from '@webhook-receiver/suites'
import { describe, expect, test, vi } from 'vitest'
import { createReceiver } from '../../src/index.ts'
import {
  current,
  expectRejection,
  incoming,
  NOW,
  previous,
  received,
  receiverWith,
} from '../deliveries.ts'

/** So that each is said again. */
function forgetWarnings(): void {
  Reflect.get(globalThis, Symbol.for('@webhook-receiver/core.warned')).clear()
}

/** Makes a receiver as JavaScript can, with no compiler in the way. */
const create = (secret: unknown) => () => Reflect.apply(createReceiver, undefined, [secret])

function expectTypeError(secret: unknown, message: string | RegExp): void {
  expect(create(secret)).toThrow(TypeError)
  expect(create(secret)).toThrow(message)
  expect(create(secret)).not.toThrow('MARK')
}

const rejected: readonly (readonly [string, unknown, string])[] = [
  ['undefined', undefined, 'is undefined: is its environment variable set?'],
  ['null', null, 'is null: give the string'],
  ['a number', 42, 'is a number: give the string'],
  ['empty', '', 'is empty: is its environment variable set?'],
  ['before a space', 'whsec_MARK ', 'has white space around it'],
  ['before a line break', 'whsec_MARK\n', 'has white space around it'],
  ['behind a byte order mark', '\uFEFFwhsec_MARK', 'has white space around it'],
  ['in double quotes', '"whsec_MARK"', 'is in quotes'],
  ['of two lines', 'whsec_MARK\nwhsec_MARK', 'has white space around it'],
]

test.each(rejected)('rejects a secret that is %s when the receiver is made', (_, secret, fault) => {
  expectTypeError(secret, `The secret ${fault}`)
})

const records = [
  ...rejected.filter(([kind]) => ['a number', 'before a line break'].includes(kind)),
  ['an object', { value: 'MARK' }, 'is an object: give the string'],
] as const

test.each(records)('rejects a named secret that is %s, and names it', (_, secret, fault) => {
  const secrets = { current: 'whsec_MARK-good', previous: secret }
  expectTypeError(secrets, `The secret named "previous" ${fault}`)
})

test.each([
  ['an empty object', {}, 'an object'],
  ['an array', ['whsec_MARK'], 'an array'],
  ['a Buffer', Buffer.from('whsec_MARK'), 'an object'],
  ['a promise', Promise.resolve('whsec_MARK'), 'an object'],
])('rejects secrets that are %s', (_, secrets, kind) => {
  const advice = 'give the string, or several by name, such as { current, previous }'
  expectTypeError(secrets, `The secret is ${kind}: ${advice}`)
})

test('rejects options in place of the secret: the name of a scheme would be one', () => {
  expectTypeError(
    { secret: 'whsec_MARK', scheme: 'github' },
    '`scheme` is an option, and no secret',
  )
})

test('says of a function that returns undefined that the tenant may be unknown', async () => {
  const receiver = createReceiver(() => undefined, { onRejected: false })
  const error = await expectRejection(
    receiver.receive(incoming('message.read')),
    503,
    'secret_unavailable',
  )
  expect(error.detail).toMatch(/^The secret is undefined: .*, or is the tenant unknown\?$/)
})

test('accepts quotes and white space inside a secret', () => {
  expect(create('whsec_"a b"c')).not.toThrow()
})

describe('what a configuration makes of a secret is a TypeError that says so', () => {
  test.each([
    ['undefined', 'is the text of a missing value'],
    ['WEBHOOK_SECRET=whsec_MARK', 'begins with the name of its variable'],
    ['whsec_MA\u200bRK', 'contains an invisible character: copy it again'],
    ['whsec_MARK"', 'has a quotation mark at one end'],
    ["'whsec_MARK", 'has a quotation mark at one end'],
    ['webhook_token: MARK', 'begins with the name of its variable'],
    ['[ "whsec_MARK" ]', 'is JSON: parse it'],
    ['whsec_MARK\\n', 'ends with a line break that is written as text'],
    [Buffer.from('whsec_MARK').toString('base64'), 'is still encoded in base64'],
    ['whsec_MA\0RK', 'contains a control character: copy it again'],
    ['whsec_MARK\ud83d', 'contains half of a character: copy it again'],
    ['export TOKEN=MARK', 'begins with the name of its variable'],
    ['v1,whsec_MARKa|v1,whsec_MARKb', 'holds two secrets'],
    ['MARK-number-1 MARK-number-2', 'holds two secrets'],
    ['Bearer MARK', 'begins with "Bearer": give only what is behind it'],
    ['{"WEBHOOK_SECRET":"whsec_MARK"}', 'is JSON: parse it'],
    [
      '-----BEGIN PUBLIC KEY-----\nMARK\n-----END PUBLIC KEY-----',
      'begins with "-----BEGIN": that is a key or a certificate, and no shared secret. Pass the secret of the webhook, which begins with',
    ],
  ])('%j', (secret, fault) => expectTypeError(secret, `The secret ${fault}`))

  test.each([
    ...['op://MARK/webhooks/secret', 'arn:aws-cn:ssm:cn-north-1:1:parameter/MARK'],
    ...['arn:aws:secretsmanager:eu-west-1:1:secret:MARK'],
    ...['projects/1/secrets/MARK/versions/latest', 'vault:secret/data/MARK#key'],
    ...['@Microsoft.KeyVault(SecretUri=https://MARK)', 'ENC[AES256_GCM,data:MARK]'],
    ...['/run/secrets/MARK', 'file:///etc/MARK', 'https://example.com/MARK'],
  ])('a place: %s', (secret) => expectTypeError(secret, 'The secret says where a secret is kept'))

  const placeholders = [
    ...['$'.concat('{WEBHOOK_SECRET}'), '$WEBHOOK_SECRET', '__WEBHOOK_SECRET__', 'process.env.A'],
    ...['{{ secrets.hook }}', '<your secret>', 'changeme', 'CHANGE_ME_IN_PRODUCTION'],
    ...['your-webhook-secret', 'insert your secret here', 'TODO', '[REDACTED]', 'False', 'none'],
    ...['7', 'xxx', '••••••••', '…', 'whsec_your_secret', 'whsec_undefined', 'replace-with-it'],
  ]
  test.each(placeholders)('a placeholder: %s', (secret) => {
    expectTypeError(secret, /^The secret is a placeholder/)
  })

  test.each(['changeme', 'one-secret,another-one'])(
    'and a warning where people make it up: %s',
    (secret) => {
      const warn = vi.spyOn(console, 'warn').mockReturnValue()
      forgetWarnings()
      expect(() => createReceiver(secret, { scheme: bodyScheme })).not.toThrow()
      expect(() => createReceiver(secret, { scheme: bodyScheme })).not.toThrow()
      expect(warn).toHaveBeenCalledTimes(1)
      expect(JSON.stringify(warn.mock.calls)).not.toContain(secret)
    },
  )

  test('and nothing of what a secret can be', () => {
    const warn = vi.spyOn(console, 'warn').mockReturnValue()
    forgetWarnings()
    for (const secret of [
      'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw==',
      'whsec_trueNorth0changemeNot',
      'whsec_a b c d e f',
      'whsec_0000000000000000',
      'whsec_aaaaaaaaaaaaaaaa',
      'whsec_something_of_a_key=',
      'whsec_/run/secrets/+https://',
      'whsec_\u{1f600}\u{1f600}\u{1f600}\u{1f600}\u{1f600}',
    ]) {
      create(secret)()
    }
    expect(warn).not.toHaveBeenCalled()
  })
})

test('a secret of fewer than 16 characters is a warning once, which does not quote it', () => {
  const warn = vi.spyOn(console, 'warn').mockReturnValue()
  forgetWarnings()
  create('whsec_123456789A')()
  expect(warn).not.toHaveBeenCalled()
  create({ current: 'whsec_12345MARK', previous: 'whsec_1' })()
  create('whsec_2')()
  expect(warn.mock.calls).toEqual([
    [
      expect.stringMatching(
        /The secret named "current" has fewer than 16 characters: was it cut off\?/,
      ),
    ],
  ])
  expect(String(warn.mock.calls)).not.toContain('MARK')
})

test('a named secret that is undefined beside others is left out, with a warning', async () => {
  const warn = vi.spyOn(console, 'warn').mockReturnValue()
  const secrets = { current: current.secret, previous: undefined }
  const receiver = receiverWith({}, secrets)
  const { verification } = await receiver.receive(incoming('message.received'))
  expect(verification.secretName).toBe('current')
  expect(String(warn.mock.calls)).toMatch(/named "previous" is undefined, so only the others/)
  expect(create({ current: undefined, previous: undefined })).toThrow(
    'named "current" is undefined',
  )
})

test('more than ten secrets are a warning once, which names the secret function', () => {
  const warn = vi.spyOn(console, 'warn').mockReturnValue()
  const secrets = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`${index}`, current.secret]))
  createReceiver(secrets(10))
  expect(warn).not.toHaveBeenCalled()
  createReceiver(secrets(11))
  createReceiver(secrets(12))
  expect(warn.mock.calls).toEqual([
    [expect.stringMatching(/one of 11, .* pass a function that returns that of the request/)],
  ])
})

test('uses the whole secret as UTF-8, the prefix included', async () => {
  vi.spyOn(console, 'warn').mockReturnValue()
  expect((await received('unicode secret')).delivery.known).toBe(true)
  const cut = receiverWith({}, current.secret.slice('whsec_'.length))
  const rejection = cut.receive(incoming('message.received'))
  await expectRejection(rejection, 401, 'signature_mismatch')
})

describe('a rotation', () => {
  test('reports the first of two names for one secret', async () => {
    const twice = { a: previous.secret, b: current.secret, c: current.secret }
    const { verification } = await createReceiver(twice, { now: () => NOW }).receive(
      incoming('message.received'),
    )
    expect(verification.secretName).toBe('b')
  })
})
