import {
  type ArgumentsHost,
  Body,
  Catch,
  Controller,
  type ExceptionFilter,
  Headers,
  HttpCode,
  HttpException,
  type INestApplication,
  Inject,
  Injectable,
  Post,
  Scope,
  ValidationPipe,
} from '@nestjs/common'
import { ExternalContextCreator, REQUEST } from '@nestjs/core'
import {
  Delivery,
  type DeliveryOf,
  type DeliveryStore,
  memoryStore,
  OnDelivery,
  type Rejection,
  reply,
  WebhookEndpoint,
  WebhookError,
  WebhookModule,
} from '@webhook-receiver/nestjs'
import { signDelivery } from '@webhook-receiver/nestjs/testing'
import { IsString } from 'class-validator'
import { map } from 'rxjs/operators'
import { afterEach, describe, expect, test, vi } from 'vitest'
import {
  Acknowledging,
  accepted,
  closeAll,
  deliver,
  forge,
  handling,
  secret,
  seen,
  send,
  start,
  WebhooksController,
} from './application.ts'
import { moduleOf, PLATFORMS } from './platforms.ts'

afterEach(async () => {
  await closeAll()
})

const options = { logger: false } as const
const received = ['message.received', true]

describe.each(PLATFORMS)('on %s', (platform) => {
  test.each<[string, () => unknown, status: number]>([
    ['a reply', () => reply({ status: 202, body: 'ok' }), 202],
    ['a reply that asks for a retry', () => reply({ status: 503 }), 503],
    ['an Error', () => new Error('returned'), 500],
  ])('%s that the method of the endpoint returns decides the response', async (_, act, status) => {
    @Controller('webhooks')
    class Replying {
      @Post()
      @WebhookEndpoint()
      receive() {
        return act()
      }
    }
    const app = await start(platform, { controllers: [Replying] }, { options }, { onError() {} })
    expect((await deliver(app)).status).toBe(status)
  })

  test('responds with the status of @HttpCode, above or below @WebhookEndpoint', async () => {
    @Controller()
    class Accepting {
      @HttpCode(202)
      @Post('above')
      @WebhookEndpoint()
      above() {}

      @Post('below')
      @WebhookEndpoint()
      @HttpCode(202)
      below() {}
    }
    const app = await start(platform, { controllers: [Accepting] })
    for (const path of ['/above', '/below']) {
      expect((await deliver(app, { path })).status, path).toBe(202)
    }
  })

  test('tells the hooks who has sent a request, and where', async () => {
    const calls: unknown[] = []
    const onRejected = ({ remote, reason }: Rejection) => void calls.push([reason, remote])
    const app = await start(platform, {}, {}, { onRejected })
    await forge(app, { headers: { 'User-Agent': 'test' } })
    const remote = { address: '127.0.0.1', url: '/webhooks', userAgent: 'test' }
    expect(calls).toEqual([['signature_mismatch', remote]])
  })

  test('with a global ValidationPipe, interceptor, filter and guard', async () => {
    const order: string[] = []
    @Catch()
    class Filter implements ExceptionFilter {
      catch(error: unknown, host: ArgumentsHost) {
        const status = error instanceof HttpException ? error.getStatus() : 500
        order.push(`filter ${status} ${error instanceof WebhookError && error.reason}`)
        host.switchToHttp().getResponse().status(status).send({ filtered: status })
      }
    }
    const strict = { whitelist: true, forbidNonWhitelisted: true, transform: true }
    const configure = (app: INestApplication) =>
      app
        .useGlobalPipes(new ValidationPipe({ ...strict, validateCustomDecorators: true }))
        .useGlobalInterceptors({
          intercept: (_context, next) => {
            order.push('interceptor')
            return next.handle().pipe(map((value) => ({ wrapped: value })))
          },
        })
        .useGlobalFilters(new Filter())
        .useGlobalGuards({ canActivate: () => order.push('guard') > 0 })
    const app = await start(platform, {}, { configure })
    await accepted(app)
    const forged = await forge(app)
    expect([forged.status, await forged.json()]).toMatchObject([401, { code: 'not_authenticated' }])
    // The receiver responds to what it rejects.
    expect([order, seen]).toEqual([['guard', 'interceptor', 'guard'], [received]])
    expect((await send(app, '{"item":1}')).body).toEqual({ filtered: 400 })
    expect((await send(app, '{"item":"a"}')).body.wrapped.order).toEqual({ item: 'a' })
  })

  test('a pipe that rejects the delivery gets 500', async () => {
    class Order {
      @IsString()
      item!: string
    }
    @Controller('webhooks')
    class Wrong {
      @Post()
      @WebhookEndpoint()
      receive(@Body() order: Order) {
        seen.push(order)
      }
    }
    const pipe = new ValidationPipe({ forbidNonWhitelisted: true, whitelist: true })
    const configure = (app: INestApplication) => app.useGlobalPipes(pipe)
    const app = await start(platform, { controllers: [Wrong] }, { configure, options })
    expect([(await deliver(app)).status, seen]).toEqual([500, []])
  })

  test('with request-scoped controllers and providers, which get their request', async () => {
    interface WithHeaders {
      readonly headers: Record<string, string>
    }
    @Injectable({ scope: Scope.REQUEST })
    class Tenant {
      @Inject(REQUEST) readonly request!: WithHeaders
    }
    @Injectable()
    class Depending {
      @Inject(Tenant) readonly tenant!: Tenant

      @OnDelivery('message.received')
      handle({ event }: DeliveryOf<'message.received'>) {
        seen.push([event, this.tenant.request.headers['x-tenant']])
      }
    }
    @Injectable({ scope: Scope.TRANSIENT })
    class Transient {
      readonly made = true

      @OnDelivery('any')
      handle({ event }: Delivery) {
        seen.push([event, this.made])
      }
    }
    @Controller({ path: 'scoped', scope: Scope.REQUEST })
    class Scoped {
      @Inject(REQUEST) readonly request!: WithHeaders

      @Post()
      @WebhookEndpoint()
      receive(@Delivery() { event }: Delivery) {
        seen.push([event, `${this.request.headers['x-tenant']} in the controller`])
      }
    }
    const providers = [Tenant, Depending, Transient]
    const app = await start(platform, { controllers: [Scoped, WebhooksController], providers })
    const scoped = { headers: { 'X-Tenant': 'one' }, path: '/scoped' }
    await accepted(app, scoped)
    await accepted(app, { headers: { 'X-Tenant': 'two' } })
    await accepted(app, {}, 'message.sent')
    expect((await forge(app, scoped)).status).toBe(401)
    expect(seen).toEqual([
      ['message.received', 'one'],
      ['message.received', 'one in the controller'],
      ['message.received', 'two'],
      received,
      ['message.sent', true],
      ['message.sent', true],
    ])
  })

  test('request-scoped classes of two modules under one token each get their own deliveries', async () => {
    @Injectable({ scope: Scope.REQUEST })
    class Received {
      @OnDelivery('message.received')
      handle({ event }: Delivery) {
        seen.push([event, this instanceof Received])
      }
    }
    @Injectable({ scope: Scope.REQUEST })
    class Sent {
      @OnDelivery('message.sent')
      handle({ event }: Delivery) {
        seen.push([event, this instanceof Sent])
      }
    }
    const modules = [Received, Sent].map((useClass) =>
      moduleOf({ providers: [{ provide: 'HANDLER', useClass }] }),
    )
    const imports = [WebhookModule.forRoot({ secret, onRejected: false }), ...modules]
    const app = await start(platform, { imports, controllers: [Acknowledging] })
    await accepted(app)
    await accepted(app, {}, 'message.sent')
    expect(seen).toEqual([received, ['message.sent', true]])
  })

  test('several endpoints, each with its secret and its handlers', async () => {
    @Controller()
    class Both {
      @Post('webhooks')
      @WebhookEndpoint()
      receive() {}

      @Post('billing')
      @WebhookEndpoint('billing')
      receiveBilling(@Headers('content-type') type: string) {
        expect(type).toBe('application/json')
      }
    }
    const noting = (name: string) =>
      handling({ 'message.received': ({ id }) => void seen.push([name, id]) }, { name })
    const shared = { onRejected: false, store: memoryStore() } as const
    const useFactory = async () => ({ secret: 'whsec_b', ...shared })
    const app = await start(platform, {
      imports: [
        WebhookModule.forRoot({ secret, ...shared }),
        WebhookModule.forRootAsync({ name: 'billing', useFactory }),
      ],
      controllers: [Both],
      providers: [noting('default'), noting('billing')],
    })
    const id = 'one'
    for (const _ of [1, 2]) {
      await accepted(app, { id })
      await accepted(app, { id, path: '/billing', secret: 'whsec_b' })
      expect((await deliver(app, { id, path: '/billing' })).status).toBe(401)
    }
    expect(seen).toEqual([
      ['default', id],
      ['billing', id],
    ])
  })

  test('forRootAsync has the secret and the store from other providers', async () => {
    const Infrastructure = moduleOf({
      providers: [
        { provide: 'SECRET', useValue: secret },
        { provide: 'STORE', useFactory: () => memoryStore() },
      ],
      exports: ['SECRET', 'STORE'],
    })
    @Injectable()
    class Handler {
      @OnDelivery('message.sent')
      @OnDelivery('message.received')
      handle({ event }: Delivery) {
        seen.push(event)
      }
    }
    const module = WebhookModule.forRootAsync({
      imports: [Infrastructure],
      inject: ['SECRET', 'STORE'],
      useFactory: (given: string, store: DeliveryStore) => ({ secret: given, store }),
    })
    const parts = { imports: [module], controllers: [Acknowledging], providers: [Handler] }
    const app = await start(platform, parts)
    for (const id of ['one', 'one', 'two']) await accepted(app, { id })
    for (const event of ['message.sent', 'message.read']) {
      await accepted(app, {}, event)
    }
    expect(seen).toEqual(['message.received', 'message.received', 'message.sent'])
  })
})

test('@Delivery() without @WebhookEndpoint() gets 500, and the line says what to add', async () => {
  @Controller('webhooks')
  class Unverified {
    @Post()
    receive(@Delivery() delivery: Delivery) {
      seen.push(delivery)
    }
  }
  const print = vi.spyOn(console, 'error').mockReturnValue()
  const app = await start('express', { controllers: [Unverified] }, { options })
  expect([(await deliver(app)).status, seen]).toEqual([500, []])
  const line = /delivery_missing: .* "\/webhooks".* Add @WebhookEndpoint\(\) to the method\./
  expect(print.mock.calls).toEqual([[expect.stringMatching(line)]])
})

test.each(['rpc', 'graphql'])(
  'a call by %s is rejected, although its message looks like a delivery',
  async (type) => {
    @Injectable()
    class Resolver {
      @WebhookEndpoint()
      receive(...messages: unknown[]) {
        seen.push(messages)
      }
    }
    const app = await start('express', { providers: [Resolver] }, { options })
    await app.init()
    const resolver = app.get(Resolver)
    const [none, contexts] = [undefined, app.get(ExternalContextCreator)]
    const { receive } = resolver
    const call = contexts.create(resolver, receive, 'receive', none, none, none, none, none, type)
    const { headers, body } = await signDelivery(secret, 'message.received')
    const lowered = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])
    const message = {
      method: 'POST',
      headers: Object.fromEntries(lowered),
      rawBody: Buffer.from(body),
    }
    await expect(call(message, {})).rejects.toThrow(`and this is ${type}.`)
    expect(seen).toEqual([])
  },
)

describe.each(PLATFORMS)('behind a filter for everything on %s', (platform) => {
  @Catch()
  class Filter implements ExceptionFilter {
    catch(error: unknown, host: ArgumentsHost) {
      const reason = error instanceof WebhookError ? error.reason : `${error}`
      const status = error instanceof HttpException && error.getStatus()
      host.switchToHttp().getResponse().status(299).send({ reason, status })
    }
  }
  const configure = (app: INestApplication) => app.useGlobalFilters(new Filter())
  const any = () => {
    const cause = Object.assign(new RangeError('the cause of it'), { detail: 'MARK' })
    throw Object.assign(new Error('broken', { cause }), { code: '23505', config: 'MARK' })
  }
  const parts = { controllers: [WebhooksController], providers: [handling({ any })] }

  test('a failed handler is 500, and Nest logs it with its stack and cause', async () => {
    const print = vi.spyOn(console, 'error').mockReturnValue()
    const response = await deliver(await start(platform, parts, { configure }))
    const logged = print.mock.calls.flat().join(' ')
    expect(response.status).toBe(500)
    expect(await response.json()).toEqual({ code: 'receiver_error', message: 'receiver error' })
    expect(logged).toMatch(
      /500 handler_failed at \/webhooks message.received \S+: the handler threw Error: broken\n\s+at .*code: 23505\n.*RangeError: the cause of it/s,
    )
    expect(logged).not.toContain('MARK')
  })

  test('with forwardErrors, the filter responds, with the headers of the error', async () => {
    const forwarding = { forwardErrors: true, onError() {} }
    const app = await start(platform, parts, { configure }, forwarding)
    const claim = () => ({ status: 'in_progress', retryAfter: 5 }) as const
    const store = { ...memoryStore(), claim }
    const busy = await start(platform, parts, { configure }, { ...forwarding, store })
    const now = () => {
      throw new RangeError('no clock')
    }
    const broken = await start(platform, parts, { configure }, { ...forwarding, now })
    for (const [response, reason, status, wait] of [
      [await deliver(app), 'handler_failed', 500, null],
      [await forge(app), 'signature_mismatch', 401, null],
      [await deliver(busy), 'delivery_in_progress', 503, '5'],
      // What is no rejection stays what it is.
      [await deliver(broken), 'RangeError: no clock', false, null],
    ] as const) {
      expect([response.status, await response.json()]).toEqual([299, { reason, status }])
      expect(response.headers.get('retry-after')).toBe(wait)
    }
  })
})
