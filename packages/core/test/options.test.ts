import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { createReceiver, EVENTS, webhookHandler } from '../src/index.ts'
import { contract, DEFAULTS } from '../src/internal.ts'
import { resolveOptions } from '../src/settings.ts'
import { current } from './deliveries.ts'

/** Makes a receiver as JavaScript can, with no compiler in the way. */
const create = (options: unknown) => () =>
  Reflect.apply(createReceiver, undefined, [current.secret, options])

const TIMEOUTS = [0, 86_401]

/** What each option does not take. The kinds of numbers are in validate/check-options.test.ts. */
const wrong = {
  scheme: ['stripe', { name: 'a b', readHead() {} }, { name: 'a' }],
  verifyToken: [''],
  expectSecret: ['secret'],
  publicUrl: [
    ...[
      '',
      'example.com',
      'ftp://example.com',
      'https://user:pw@example.com',
      'https://a b.example',
    ],
    ...['https://example.com/é', 'https:///x'],
  ],
  tolerance: [-0.001],
  limit: [0, 1.5, Number.POSITIVE_INFINITY],
  bodyTimeout: TIMEOUTS,
  unverifiedBytes: [0, 1.5],
  callbackTimeout: TIMEOUTS,
  schemas: ['zod', [], new Map([['a', 1]])],
  extraEvents: ['message.reacted', [1], ['']],
  schemaMismatch: ['ignore'],
  endpoint: ['', 'a b', 'a:b', 'x'.repeat(65)],
  duplicates: ['event'],
  now: [0],
  onAccepted: [false],
  onHandshake: [false],
  onRejected: [true],
  onUnprocessable: [false],
  quarantine: [{ keep: () => true }],
  diagnose: [false],
}

/** Calling a generator function runs none of its code. */
test.each([
  ...['publicUrl', 'expectSecret', 'endpoint', 'duplicates', 'now', 'diagnose'],
  ...['onAccepted', 'onHandshake', 'onRejected', 'onUnprocessable'],
])('rejects a generator function and a class as %s', (name) => {
  expect(create({ [name]: async function* () {} })).toThrow(/; got a generator function\.$/)
  expect(create({ [name]: class {} })).toThrow(/; got a class\.$/)
})

test('rejects an async function as the clock: what it rejects with would end the process', () => {
  expect(create({ now: async () => 0 })).toThrow(/ milliseconds, .*; got an async function\.$/)
})

test('rejects a generator function as the secret, or as the one that finds it', () => {
  const message = /^The secret.* is a generator function: /
  const secretsOf = function* () {}
  for (const secret of [secretsOf, { secretsOf }]) {
    expect(() => Reflect.apply(createReceiver, undefined, [secret])).toThrow(message)
    expect(() => Reflect.apply(webhookHandler, undefined, [secret, () => {}])).toThrow(message)
  }
})

test.each([
  [new Map(), 'should be an object, such as { tolerance: 600 }; got an instance of Map.'],
  [Promise.resolve(), 'should be an object, such as { tolerance: 600 }; got an instance of'],
  [contract, 'are a scheme: pass { scheme: stripe }.'],
])('rejects %s as options, and says what to write', (options, says) => {
  expect(create(options)).toThrow(`The options ${says}`)
})

test('takes options that are an instance of a class with properties', () => {
  class Settings {
    tolerance = 600
  }
  expect(create(new Settings())).not.toThrow()
})

const cases = Object.entries(wrong).flatMap(([name, values]) =>
  values.map((value) => ({ name, value })),
)

test.each(cases)('rejects $name $value, and says what to write', ({ name, value }) => {
  expect(create({ [name]: value })).toThrow(TypeError)
  expect(create({ [name]: value })).toThrow(new RegExp(`^\`${name}\` should be .{8,}; got `))
})

test('covers every option that there is', () => {
  const names = Object.keys(wrong)
  const unknown = create({ nonsense: 1 })
  expect(unknown).toThrow(new RegExp(`options are: (\\w+, ){${names.length - 1}}\\w+\\.$`))
  for (const name of names) expect(unknown).toThrow(new RegExp(`options are: .*\\b${name}\\b`))
})

test.each([
  ['an array', [1, 'b', null], '[1, "b", null]'],
  ['an array of objects', [{}], 'an array'],
  ['a long string', 'x'.repeat(101), `"${'x'.repeat(100)}…"`],
  ['a Map', new Map(), 'an instance of Map'],
  ['a function', () => 1, 'a function'],
  ['a symbol', Symbol('s'), 'Symbol(s)'],
])('shows what was given: %s', (_, limit, shown) => {
  expect(create({ limit })).toThrow(`; got ${shown}.`)
})

test.each(['tolerence', 'constructor'])('rejects an option named %j', (name) => {
  expect(create({ [name]: undefined })).toThrow(TypeError)
  expect(create({ [name]: 1 })).toThrow(`There is no option ${JSON.stringify(name)}.`)
})

test.each(['store', 'any'])(
  'says of %s, which a receiver has no use for, where it belongs',
  (name) => {
    const belongs = 'Handlers and a `store` are for webhookHandler. The options are'
    expect(create({ [name]: () => {} })).toThrow(belongs)
  },
)

describe('schemas', () => {
  test.each(['message.recieved', 'constructor'])(
    'rejects one for %j, which is not an event',
    (event) => {
      const making = create({ schemas: { [event]: z.object({}) } })
      expect(making).toThrow(TypeError)
      const named = `\`schemas\` has a key ${JSON.stringify(event)}, which is not an event. `
      for (const says of [named, ...EVENTS, 'Add others to `extraEvents`']) {
        expect(making).toThrow(says)
      }
    },
  )

  test('accepts one for an event named in extraEvents', () => {
    const schemas = { 'message.reacted': z.object({}) }
    expect(create({ schemas, extraEvents: ['message.reacted'] })).not.toThrow()
  })

  test.each([
    ['null', null],
    ['an object', { text: 'string' }],
    ['~standard that is null', { '~standard': null }],
    ['~standard with another validate', { '~standard': { version: 1, validate: {} } }],
  ])('rejects %s, which is not a Standard Schema', (_, schema) => {
    const making = create({ schemas: { 'message.read': schema } })
    expect(making).toThrow(TypeError)
    expect(making).toThrow(
      '`schemas["message.read"]` should be a Standard Schema (Zod 3.24+, Valibot 1+, ArkType 2+)',
    )
  })
})

test('fills in 300 s, 1 MiB, 30 s, 64 MiB, 10 s and "retry"', () => {
  expect(DEFAULTS).toEqual({
    tolerance: 300,
    limit: 1_048_576,
    bodyTimeout: 30,
    unverifiedBytes: 67_108_864,
    callbackTimeout: 10,
    schemaMismatch: 'retry',
  })
  const undefinedAll = Object.fromEntries(Object.keys(wrong).map((name) => [name, undefined]))
  for (const options of [{}, undefinedAll]) {
    const resolved = resolveOptions(options)
    expect(resolved).toMatchObject({ ...DEFAULTS, schemas: {}, now: expect.any(Function) })
    expect([...resolved.events]).toEqual([...EVENTS])
    expect(resolved.onAccepted ?? resolved.onRejected ?? resolved.onUnprocessable).toBeUndefined()
  }
  expect(createReceiver(current.secret).limit).toBe(1_048_576)
})

test('`unverifiedBytes` is at least the limit, or a TypeError', () => {
  const message = '`unverifiedBytes` should be at least the `limit` of 1048576 bytes; got 1048575.'
  expect(create({ unverifiedBytes: 1_048_575 })).toThrow(new TypeError(message))
  expect(resolveOptions({ limit: 9, unverifiedBytes: 9 })).toMatchObject({ unverifiedBytes: 9 })
  expect(resolveOptions({ limit: 1e9 })).toMatchObject({ unverifiedBytes: 1e9 })
})

test.each([
  { tolerance: Number.POSITIVE_INFINITY },
  { bodyTimeout: 86_400 },
  { onRejected: false },
  { endpoint: 'billing-2_b.c' },
  { publicUrl: 'https://example.com/' },
  { publicUrl: 'http://example.com:8080/hooks?tenant=7#rc=2' },
  { publicUrl: 'https://user:pw@example.com/hooks' },
  { publicUrl: 'https://example.com?tenant=7' },
])('accepts %j', (options) => {
  expect(resolveOptions(options)).toMatchObject(options)
})
