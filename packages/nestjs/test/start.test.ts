import { Controller, Logger, Post, type Provider, Scope } from '@nestjs/common'
import { Test } from '@nestjs/testing'
import { OnDelivery, WebhookEndpoint, WebhookModule } from '@webhook-receiver/nestjs'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { Acknowledging, closeAll, handling, open, secret } from './application.ts'
import { createApplication, moduleOf } from './platforms.ts'

afterEach(closeAll)

type Parts = Parameters<typeof moduleOf>[0]

const endpoint = WebhookModule.forRoot({ secret })
/** What forRoot takes, whatever its type. */
const rootOf = (options: unknown) =>
  Reflect.apply(WebhookModule.forRoot, WebhookModule, [options]) as typeof endpoint
const factoryOf = (options: unknown) =>
  WebhookModule.forRootAsync({ useFactory: () => options as never })

@Controller()
class Billing {
  @Post()
  @WebhookEndpoint('billing')
  receive() {}
}
class Received {
  @OnDelivery('message.received')
  received() {}
}
class Again {
  @OnDelivery('message.received')
  again() {}
}
class Elsewhere {
  @OnDelivery('any', { name: 'billing' })
  handle() {}
}

const needed = 'WebhookModule takes an object: { secret'
const twice =
  "Received.received (in AppModule) and Again.again (in AppModule) are both for 'message.received'"

test.each<readonly [name: string, Parts, message: string | RegExp]>([
  ['no secret', { imports: [rootOf({})] }, /^The secret is undefined: is its environment variable/],
  ['a misspelt secret', { imports: [rootOf({ secrets: secret })] }, 'Did you mean "secret"?'],
  ['no options', { imports: [rootOf(undefined)] }, needed],
  ['a factory of no options', { imports: [factoryOf(undefined)] }, needed],
  [
    'the module itself in the place of forRoot',
    { imports: [WebhookModule] },
    'argument "WebhookModule.forRoot(), not WebhookModule"',
  ],
  [
    'an endpoint without its module',
    { imports: [endpoint], controllers: [Billing] },
    "WebhookModule.forRoot({ name: 'billing', secret })",
  ],
  [
    'two modules of one name',
    { imports: [endpoint, WebhookModule.forRoot({ secret })] },
    "There are 2 endpoints named 'default'. Give each forRoot its own `name`.",
  ],
  ['two methods for one event', { imports: [endpoint], providers: [Received, Again] }, twice],
  [
    'a method for an endpoint that does not exist',
    { imports: [endpoint], providers: [Elsewhere] },
    /^The endpoint of Elsewhere.handle \(in AppModule\) does not exist\. Import .*'billing'/,
  ],
])('is an error at start: %s', async (_name, parts, message) => {
  const options = { logger: false } as const
  const starting = createApplication('express', moduleOf(parts), { options })
  await expect(starting.then((app) => app.init())).rejects.toThrow(message)
})

test.each([
  [OnDelivery, "Write @OnDelivery('any')."],
  [WebhookEndpoint, 'Write @WebhookEndpoint().'],
])('a decorator that was not called is an error: nothing would run', (decorator, advice) => {
  const method = Object.getOwnPropertyDescriptor(Acknowledging.prototype, 'receive')
  const given = [Acknowledging.prototype, 'receive', method]
  expect(() => Reflect.apply(decorator, undefined, given)).toThrow(advice)
})

test('without an HTTP server, the module does nothing', async () => {
  const testing = await Test.createTestingModule({ imports: [endpoint] }).compile()
  await expect(testing.init()).resolves.toBeDefined()
})

// In JavaScript, no compiler says it.
test.each<[string, readonly unknown[], advice: string]>([
  ['a class', [class {}], 'compiled with `experimentalDecorators`'],
  ['a property', [{}, 'receive', { value: 1 }], 'compiled with `experimentalDecorators`'],
  [
    'a method, by the decorators of ECMAScript',
    [() => {}, { kind: 'method', name: 'receive' }],
    'compiled with `experimentalDecorators`',
  ],
  ['a generator method', [{}, 'receive', { value: async function* () {} }], 'without `*`'],
])('a decorator on %s is a TypeError that says where it belongs', (_, given, advice) => {
  for (const [name, decorator] of Object.entries({
    '@WebhookEndpoint()': WebhookEndpoint(),
    "@OnDelivery('any')": OnDelivery('any'),
  })) {
    expect(() => Reflect.apply(decorator, undefined, given)).toThrow(
      `${name} should be on a method of a class, ${advice}`,
    )
  }
})

describe('a method with @OnDelivery whose class no module provides', () => {
  const Forgotten = handling({ 'message.received': () => {} }, { name: 'forgetful' })
  class Provided extends Forgotten {}

  const useFactory = () => new Forgotten()
  const forgotten = expect.stringMatching(
    /^Handling\.message\.received is never called\. Add its class to `providers`/,
  )

  test.each<readonly [name: string, Provider[], string, unknown[]]>([
    ['is warned of at start', [], 'forgetful', [forgotten]],
    [
      'is warned of if what makes it is request-scoped',
      [{ provide: Forgotten, scope: Scope.REQUEST, useFactory }],
      'forgetful',
      [forgotten],
    ],
    ['is not if the class is there', [Forgotten], 'forgetful', []],
    ['is not if one that extends it is there', [Provided], 'forgetful', []],
    [
      'is not if an instance is there',
      [{ provide: 'any', useValue: new Forgotten() }],
      'forgetful',
      [],
    ],
    ['is not if it belongs to another endpoint', [], 'another', []],
  ])('%s', async (_name, providers, name, expected) => {
    @Controller()
    class Routed {
      @Post()
      @WebhookEndpoint(name)
      receive() {}
    }
    const imports = [WebhookModule.forRoot({ name, secret })]
    expect(await warningsOf({ imports, providers, controllers: [Routed] })).toEqual(expected)
  })
})

@Controller()
class Unrouted {
  @WebhookEndpoint()
  receive() {}
}

test.each([
  [
    'is of another endpoint',
    {
      imports: [endpoint, WebhookModule.forRoot({ name: 'billing', secret })],
      controllers: [Billing],
    },
  ],
  ['has no @Post()', { imports: [endpoint], controllers: [Unrouted] }],
])('an endpoint is warned of if the method %s', async (_, parts) => {
  expect(await warningsOf(parts)).toContain(
    'WebhookModule.forRoot({ secret }) has no route. Put @WebhookEndpoint() and @Post() on a method of a controller.',
  )
})

async function warningsOf(parts: Parts) {
  const warn = vi.spyOn(Logger.prototype, 'warn').mockReturnValue()
  const app = await createApplication('express', moduleOf(parts))
  open.push(app)
  await app.init()
  return warn.mock.calls.map(([message]) => message)
}
