import { bodyScheme } from '@webhook-receiver/suites'
import { beforeEach, describe, expect, type MockInstance, test, vi } from 'vitest'
import { createReceiver } from '../../src/index.ts'
import {
  current,
  expectRejection,
  incoming,
  previous,
  received,
  receiverWith,
} from '../deliveries.ts'

let warn: MockInstance<typeof console.warn>

beforeEach(() => {
  warn = vi.spyOn(console, 'warn').mockReturnValue()
  // So that each is said again.
  Reflect.get(globalThis, Symbol.for('@webhook-receiver/core.warned')).clear()
})

/** Makes a receiver as JavaScript can, with no compiler in the way. */
const create = (secret: unknown, options?: object) => () =>
  Reflect.apply(createReceiver, undefined, [secret, options])

const named = (secret: unknown) => ({ current: 'whsec_MARK-good', previous: secret })
const ADVICE = 'give the string, or several by name, such as { current, previous }'

const PLACES = [
  ...['op://MARK/webhooks/secret', 'arn:aws-cn:ssm:cn-north-1:1:parameter/MARK'],
  ...['arn:aws:secretsmanager:eu-west-1:1:secret:MARK'],
  ...['projects/1/secrets/MARK/versions/latest', 'vault:secret/data/MARK#key'],
  ...['@Microsoft.KeyVault(SecretUri=https://MARK)', 'ENC[AES256_GCM,data:MARK]'],
  ...['/run/secrets/MARK', 'file:///etc/MARK', 'https://example.com/MARK'],
]

const PLACEHOLDERS = [
  ...['$'.concat('{WEBHOOK_SECRET}'), '$WEBHOOK_SECRET', '__WEBHOOK_SECRET__', 'process.env.A'],
  ...['{{ secrets.hook }}', '<your secret>', 'changeme', 'CHANGE_ME_IN_PRODUCTION'],
  ...['your-webhook-secret', 'insert your secret here', 'TODO', '[REDACTED]', 'False', 'none'],
  ...['7', 'xxx', '••••••••', '…', 'whsec_your_secret', 'whsec_undefined', 'replace-with-it'],
]

test.each<readonly [secret: unknown, fault: string]>([
  [undefined, 'is undefined: is its environment variable set?'],
  [null, 'is null: give the string'],
  [42, 'is a number: give the string'],
  ['', 'is empty: is its environment variable set?'],
  ['whsec_MARK ', 'has white space around it'],
  ['whsec_MARK\n', 'has white space around it'],
  ['\uFEFFwhsec_MARK', 'has white space around it'],
  ['whsec_MARK\nwhsec_MARK', 'has white space around it'],
  ['"whsec_MARK"', 'is in quotes'],
  [named(42), 'named "previous" is a number: give the string'],
  [named('whsec_MARK\n'), 'named "previous" has white space around it'],
  [named({ value: 'MARK' }), 'named "previous" is an object: give the string'],
  [{ current: undefined, previous: undefined }, 'named "current" is undefined'],
  [{}, `is an object: ${ADVICE}`],
  [['whsec_MARK'], `is an array: ${ADVICE}`],
  [Buffer.from('whsec_MARK'), `is an object: ${ADVICE}`],
  [Promise.resolve('whsec_MARK'), `is an object: ${ADVICE}`],
  ['undefined', 'is the text of a missing value'],
  ['WEBHOOK_SECRET=whsec_MARK', 'begins with the name of its variable'],
  ['whsec_MA\u200bRK', 'contains an invisible character: copy it again'],
  ['whsec_MARK"', 'has a quotation mark at one end'],
  ["'whsec_MARK", 'has a quotation mark at one end'],
  ['webhook_token: MARK', 'begins with the name of its variable'],
  ['[ "whsec_MARK" ]', 'is JSON: parse it'],
  ['whsec_MARK\\n', 'ends with a line break written as text'],
  [Buffer.from('whsec_MARK').toString('base64'), 'is still encoded in base64'],
  ['whsec_MA\0RK', 'contains an invisible character: copy it again'],
  ['whsec_MARK\ud83d', 'contains an invisible character: copy it again'],
  ['export TOKEN=MARK', 'begins with the name of its variable'],
  ['v1,whsec_MARKa|v1,whsec_MARKb', 'holds two secrets'],
  ['MARK-number-1 MARK-number-2', 'holds two secrets'],
  ['Bearer MARK', 'begins with "Bearer": give only what is behind it'],
  ['{"WEBHOOK_SECRET":"whsec_MARK"}', 'is JSON: parse it'],
  [
    '-----BEGIN PUBLIC KEY-----\nMARK\n-----END PUBLIC KEY-----',
    'begins with "-----BEGIN": that is a key or a certificate, and no shared secret. Pass the secret of the webhook, which begins with',
  ],
  ...PLACES.map((place) => [place, 'says where a secret is kept'] as const),
  ...PLACEHOLDERS.map((secret) => [secret, 'is a placeholder'] as const),
])(
  'the secret %j is a TypeError when the receiver is made, which does not show it: it %s',
  (secret, fault) => {
    expect(create(secret)).toThrow(TypeError)
    expect(create(secret)).toThrow(`The secret ${fault}`)
    expect(create(secret)).not.toThrow('MARK')
  },
)

test('rejects options in place of the secret: the name of a scheme would be one', () => {
  expect(create({ secret: 'whsec_MARK', scheme: 'github' })).toThrow(
    '`scheme` is an option, and no secret',
  )
})

const several = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`${index}`, current.secret]))

describe('is a warning once in a process, which does not show it:', () => {
  test.each<[what: string, secret: unknown, line: string, options?: object]>([
    ['another beginning', 'MARK-of-a-secret', 'The secret does not begin with "whsec_"'],
    [
      'the beginning in upper case',
      { good: current.secret, odd: 'WHSEC_MARK-of-a-secret' },
      'The secret named "odd" does not begin',
    ],
    ['the beginning behind others', 'a whsec_MARK-of-it', 'The secret does not begin with'],
    [
      'few characters',
      { current: 'whsec_12345MARK', previous: 'whsec_1' },
      'The secret named "current" has fewer than 16 characters: was it cut off?',
    ],
    [
      'one that is undefined, beside others',
      { current: current.secret, previous: undefined },
      'The secret named "previous" is undefined, so only the others are used.',
    ],
    ['more than ten', several(11), 'The secret is one of 11, which are all tried for each'],
    ['a placeholder, where people choose it', 'changeme', 'placeholder', { scheme: bodyScheme }],
    ['two, where people choose it', 'MARK-one,MARK-two', 'holds two', { scheme: bodyScheme }],
  ])('%s', (_, secret, line, options) => {
    for (let times = 0; times < 2; times++) create(secret, options)()
    expect(warn.mock.calls).toEqual([[expect.stringContaining(line)]])
    expect(String(warn.mock.calls)).not.toMatch(/MARK|changeme/)
  })

  test('what a secret function gives, when it gives it', async () => {
    const receiver = receiverWith({}, () => 'MARK-of-a-secret')
    expect(warn).not.toHaveBeenCalled()
    for (let times = 0; times < 3; times++) {
      const attempt = receiver.receive(incoming('message.read'))
      await expectRejection(attempt, 401, 'signature_mismatch')
    }
    expect(warn).toHaveBeenCalledTimes(1)
  })

  test('and nothing of what a secret can be', () => {
    for (const secret of [
      'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw==',
      'whsec_trueNorth0changemeNot',
      'whsec_a b c d e f',
      'whsec_0000000000000000',
      'whsec_aaaaaaaaaaaaaaaa',
      'whsec_something_of_a_key=',
      'whsec_/run/secrets/+https://',
      'whsec_\u{1f600}\u{1f600}\u{1f600}\u{1f600}\u{1f600}',
      'whsec_"a b"cdefg',
      'whsec_123456789A',
      several(10),
    ]) {
      create(secret)()
    }
    // What SNS has instead of a secret.
    create('arn:aws:sns:eu-west-1:123456789012:topic', { scheme: bodyScheme })()
    expect(warn).not.toHaveBeenCalled()
  })
})

test('uses the whole secret as UTF-8, the prefix included', async () => {
  expect((await received('unicode secret')).delivery.known).toBe(true)
  const cut = receiverWith({}, current.secret.slice('whsec_'.length))
  const rejection = cut.receive(incoming('message.received'))
  await expectRejection(rejection, 401, 'signature_mismatch')
})

test('reports the first of two names for one secret', async () => {
  const secrets = { a: previous.secret, b: current.secret, c: current.secret, d: undefined }
  const { verification } = await receiverWith({}, secrets).receive(incoming('message.received'))
  expect(verification.secretName).toBe('b')
})
