import {
  type ArgumentsHost,
  Body,
  Catch,
  Controller,
  type ExceptionFilter,
  Headers,
  HttpException,
  type INestApplication,
  Inject,
  Injectable,
  Logger,
  type MiddlewareConsumer,
  Module,
  type NestModule,
  Param,
  Post,
  type Provider,
  Put,
  RequestMethod,
  Scope,
  UseGuards,
  ValidationPipe,
  VersioningType,
} from '@nestjs/common'
import { ExternalContextCreator, REQUEST } from '@nestjs/core'
import { Test } from '@nestjs/testing'
import {
  Delivery,
  type DeliveryOf,
  type DeliveryStore,
  memoryStore,
  OnDelivery,
  type Rejection,
  Verification,
  WebhookEndpoint,
  WebhookError,
  WebhookModule,
  type WebhookModuleOptions,
} from '@webhook-receiver/nestjs'
import { deliverTo, signDelivery } from '@webhook-receiver/nestjs/testing'
import { deliverTo as deliverToListener } from '@webhook-receiver/node/testing'
import { expectBrokenOff, bodyScheme as scheme } from '@webhook-receiver/suites'
import { IsString } from 'class-validator'
import express from 'express'
import { defer, EMPTY, throwError } from 'rxjs'
import { map } from 'rxjs/operators'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { createApplication, moduleOf, PLATFORMS, type Platform, platforms } from './platforms.ts'

const secret = 'whsec_nest'

/** What reached a handler in a test. */
const seen: unknown[] = []
const open: INestApplication[] = []
afterEach(async () => {
  seen.length = 0
  vi.unstubAllEnvs()
  await Promise.all(open.splice(0).map((app) => app.close()))
})

@Controller('webhooks')
class WebhooksController {
  @Post()
  @WebhookEndpoint()
  receive(
    @Delivery() delivery: Delivery,
    @Verification() { rawBody }: Verification,
    @Headers('content-type') type: string,
  ) {
    seen.push([delivery.event, rawBody.length > 0 && type === 'application/json'])
  }
}

/** Leaves the work to methods with `@OnDelivery`. */
@Controller('webhooks')
class Acknowledging {
  @Post()
  @WebhookEndpoint()
  receive() {}
}

class Order {
  @IsString()
  item!: string
}

/** Other routes of the application, the first of them right behind the endpoint. */
@Controller()
class OtherController {
  @Put('webhooks')
  replace(@Body() body: unknown) {
    return { replaced: body }
  }

  @Post('orders')
  order(@Body() order: Order, @Headers('content-type') type: string) {
    return { order, type }
  }
}

type Settings = Parameters<typeof createApplication>[2]

async function start(
  platform: Platform,
  settings: Settings = {},
  parts: Parameters<typeof moduleOf>[0] = {},
  options: Partial<WebhookModuleOptions> = {},
): Promise<INestApplication> {
  const module = moduleOf({
    imports: [WebhookModule.forRoot({ secret, onRejected: false, ...options })],
    controllers: [WebhooksController, OtherController],
    ...parts,
  })
  const app = await createApplication(platform, module, settings)
  open.push(app)
  return app
}

interface Sent {
  readonly path?: string
  readonly type?: string
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** Sends any request to an application. */
async function send(
  app: INestApplication,
  body: string,
  { path = '/orders', type = 'application/json', method = 'POST', headers = {} }: Sent = {},
) {
  if (!app.getHttpServer().listening) await app.listen(0, '127.0.0.1')
  const url = `http://127.0.0.1:${app.getHttpServer().address().port}${path}`
  const response = await fetch(url, { method, body, headers: { 'Content-Type': type, ...headers } })
  const text = await response.text()
  return {
    status: response.status,
    text,
    body: text.startsWith('{') ? JSON.parse(text) : text,
    headers: response.headers,
  }
}

const sendValid = (app: INestApplication, options = {}, data = {}) =>
  deliverTo(app, 'message.received', data, { secret, ...options })

const forged = (app: INestApplication, options = {}) =>
  deliverTo(app, 'message.received', {}, { secret: 'whsec_other', ...options })

describe.each(PLATFORMS)('on %s', (platform) => {
  test('a response that cannot be written is broken off', async () => {
    const app = await start(platform)
    const rejected = () => send(app, '{}', { path: '/webhooks' })
    await expectBrokenOff('writeHead', rejected)
    expect((await rejected()).status).toBe(401)
  })

  /** A valid delivery reaches the handler, and a forged one does not. */
  async function expectReceiver(
    app: INestApplication,
    options: { path?: string; headers?: Record<string, string> } = {},
  ) {
    expect((await sendValid(app, options)).status).toBe(204)
    expect((await forged(app, options)).status).toBe(401)
    expect(seen.splice(0)).toEqual([['message.received', true]])
  }

  /** Other routes parse what Nest's parsers parse, and reject what they reject. */
  async function expectOthers(app: INestApplication, prefix = '') {
    const path = `${prefix}/orders`
    const json = await send(app, '{"item":"a"}', { path })
    expect([json.status, json.body]).toEqual([
      201,
      { order: { item: 'a' }, type: 'application/json' },
    ])
    const form = 'application/x-www-form-urlencoded'
    expect((await send(app, 'item=b', { path, type: form })).body.order).toEqual({ item: 'b' })
    expect((await send(app, '{"item":', { path })).status).toBe(400)
    const large = JSON.stringify({ item: 'x'.repeat(2_000_000) })
    expect((await send(app, large, { path })).status).toBe(413)
    const put = await send(app, '{"a":1}', { path: `${prefix}/webhooks`, method: 'PUT' })
    expect(put.body).toEqual({ replaced: { a: 1 } })
  }

  test.each([{}, { rawBody: true }])('with NestFactory.create(AppModule, %j)', async (options) => {
    const app = await start(platform, { options })
    await expectReceiver(app)
    await expectOthers(app)
  })

  test('with { bodyParser: false }', async () => {
    await expectReceiver(await start(platform, { options: { bodyParser: false } }))
  })

  test('tells the hooks who has sent a request, and where', async () => {
    const calls: unknown[] = []
    const onRejected = ({ remote, reason }: Rejection) => void calls.push([reason, remote])
    const app = await start(platform, {}, {}, { onRejected })
    await forged(app, { headers: { 'User-Agent': 'test' } })
    const remote = { address: '127.0.0.1', url: '/webhooks', userAgent: 'test' }
    expect(calls).toEqual([['signature_mismatch', remote]])
  })

  test('a parameter needs no emitted types', async () => {
    class Plain {
      receive(delivery: Delivery) {
        seen.push([delivery.event, true])
      }
    }
    const method = Object.getOwnPropertyDescriptor(Plain.prototype, 'receive') ?? {}
    for (const decorate of [Post('webhooks'), WebhookEndpoint()]) {
      decorate(Plain.prototype, 'receive', method)
    }
    Delivery()(Plain.prototype, 'receive', 0)
    Controller()(Plain)
    await expectReceiver(await start(platform, {}, { controllers: [Plain] }))
  })

  test('takes what the parsers would reject: more than 100 kB, any Content-Type', async () => {
    const app = await start(platform)
    expect((await sendValid(app, {}, { text: 'x'.repeat(500_000) })).status).toBe(204)
    for (const type of [
      'nonsense',
      'text/plain',
      'application/json; charset=x',
      'application/x-www-form-urlencoded',
    ]) {
      expect((await sendValid(app, { headers: { 'Content-Type': type } })).status).toBe(204)
    }
  })

  test('with a global prefix that is set after the creation', async () => {
    const app = await start(platform, { configure: (app) => app.setGlobalPrefix('api') })
    await expectReceiver(app, { path: '/api/webhooks' })
    await expectOthers(app, '/api')
  })

  test('with a prefix that excludes the webhooks', async () => {
    const exclude = [{ path: 'webhooks', method: RequestMethod.POST }]
    const configure = (app: INestApplication) => app.setGlobalPrefix('api', { exclude })
    await expectReceiver(await start(platform, { configure }))
  })

  test('with versions in the path', async () => {
    const configure = (app: INestApplication) =>
      app.enableVersioning({ type: VersioningType.URI, defaultVersion: '2' })
    const app = await start(platform, { configure })
    await expectReceiver(app, { path: '/v2/webhooks' })
    await expectOthers(app, '/v2')
  })

  test.each([
    [
      'a header',
      { type: VersioningType.HEADER, header: 'X-Version' },
      (version: string) => ({ 'X-Version': version }),
    ],
    [
      'the media type',
      { type: VersioningType.MEDIA_TYPE, key: 'v=' },
      (version: string) => ({ Accept: `application/json;v=${version}` }),
    ],
    [
      'something else',
      {
        type: VersioningType.CUSTOM,
        extractor: (request: unknown) => Object(request).headers['x-any'],
      },
      (version: string) => ({ 'X-Any': version }),
    ],
  ] as const)(
    'with versions by %s, another version of the path gets its parsed body',
    async (_name, versioning, headersOf) => {
      @Controller({ path: 'webhooks', version: '1' })
      class First {
        @Post()
        parsed(@Body() body: unknown) {
          return { first: body }
        }
      }
      @Controller({ path: 'webhooks', version: '2' })
      class Second {
        @Post()
        @WebhookEndpoint()
        receive(@Delivery() { event }: Delivery) {
          seen.push([event, true])
        }
      }
      @Controller({ path: 'webhooks', version: '3' })
      class Third {
        @Post()
        parsed(@Body() body: unknown) {
          return { third: body }
        }
      }
      const configure = (app: INestApplication) => app.enableVersioning(versioning)
      const app = await start(platform, { configure }, { controllers: [First, Second, Third] })
      await expectReceiver(app, { headers: headersOf('2') })
      for (const [version, name] of [
        ['1', 'first'],
        ['3', 'third'],
      ] as const) {
        const sent = { path: '/webhooks', headers: headersOf(version) }
        expect((await send(app, '{"a":1}', sent)).body).toEqual({ [name]: { a: 1 } })
        expect((await send(app, '{"a":', sent)).status).toBe(400)
      }
      expect((await send(app, '{}', { path: '/webhooks', headers: headersOf('4') })).status).toBe(
        404,
      )
    },
  )

  test('with a pattern in front that gets the path too, that route gets its parsed body', async () => {
    @Controller()
    class Pattern {
      @Post(':name')
      parsed(@Body() body: unknown, @Param('name') name: string) {
        return { name, body }
      }
    }
    const app = await start(platform, {}, { controllers: [Pattern, WebhooksController] })
    await app.init()
    // Express asks its routes in their order, and Fastify prefers the one without parameters.
    if (platform === 'fastify') return expectReceiver(app)
    expect((await send(app, '{"a":1}', { path: '/webhooks' })).body).toEqual({
      name: 'webhooks',
      body: { a: 1 },
    })
    expect((await send(app, '{"a":', { path: '/webhooks' })).status).toBe(400)
  })

  test('with a parameter in the path, which the secret function gets', async () => {
    @Controller('hooks/:tenant')
    class Tenants {
      @Post()
      @WebhookEndpoint()
      receive(@Delivery() { event }: Delivery, @Param('tenant') tenant: string) {
        seen.push([event, tenant])
      }
    }
    const ofTenant = ({ params }: { params: unknown }) =>
      Object(params).tenant === 'a' ? secret : 'whsec_b'
    const app = await start(platform, {}, { controllers: [Tenants] }, { secret: ofTenant })
    expect((await sendValid(app, { path: '/hooks/a' })).status).toBe(204)
    expect((await sendValid(app, { path: '/hooks/b' })).status).toBe(401)
    expect(seen).toEqual([['message.received', 'a']])
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
    const app = await start(platform, {
      configure: (app) =>
        app
          .useGlobalPipes(
            new ValidationPipe({
              whitelist: true,
              forbidNonWhitelisted: true,
              transform: true,
              validateCustomDecorators: true,
            }),
          )
          .useGlobalInterceptors({
            intercept: (_context, next) => {
              order.push('interceptor')
              return next.handle().pipe(map((value) => ({ wrapped: value })))
            },
          })
          .useGlobalFilters(new Filter())
          .useGlobalGuards({ canActivate: () => order.push('guard') > 0 }),
    })
    await expectReceiver(app)
    // The receiver responds to what it rejects.
    expect(order).toEqual(['guard', 'interceptor', 'guard'])
    expect(await (await forged(app)).json()).toMatchObject({ code: 'not_authenticated' })
    expect((await send(app, '{"item":1}')).body).toEqual({ filtered: 400 })
    expect((await send(app, '{"item":"a"}')).body.wrapped.order).toEqual({ item: 'a' })
  })

  test('a pipe that rejects the delivery gets 500', async () => {
    @Controller('webhooks')
    class Wrong {
      @Post()
      @WebhookEndpoint()
      receive(@Body() order: Order) {
        seen.push(order)
      }
    }
    const configure = (app: INestApplication) =>
      app.useGlobalPipes(new ValidationPipe({ forbidNonWhitelisted: true, whitelist: true }))
    const app = await start(
      platform,
      { configure, options: { logger: false } },
      { controllers: [Wrong] },
    )
    expect((await sendValid(app)).status).toBe(500)
    expect(seen).toEqual([])
  })

  test('a guard in front responds to what it rejects', async () => {
    @Controller('webhooks')
    class Guarded {
      @Post()
      @UseGuards({ canActivate: () => Promise.reject(new HttpException('slow down', 429)) })
      @WebhookEndpoint()
      receive() {}
    }
    const app = await start(platform, {}, { controllers: [Guarded] })
    expect((await sendValid(app)).status).toBe(429)
  })

  test('with request-scoped controllers and providers, which get their request', async () => {
    @Injectable({ scope: Scope.REQUEST })
    class Tenant {
      @Inject(REQUEST) readonly request!: { headers: Record<string, string> }
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
      @Inject(REQUEST) readonly request!: { headers: Record<string, string> }

      @Post()
      @WebhookEndpoint()
      receive(@Delivery() { event }: Delivery) {
        seen.push([event, `${this.request.headers['x-tenant']} in the controller`])
      }
    }
    const parts = {
      controllers: [Scoped, WebhooksController],
      providers: [Tenant, Depending, Transient],
    }
    const app = await start(platform, {}, parts)
    const headers = { 'X-Tenant': 'one' }
    expect((await sendValid(app, { headers, path: '/scoped' })).status).toBe(204)
    expect((await sendValid(app, { headers: { 'X-Tenant': 'two' } })).status).toBe(204)
    expect((await deliverTo(app, 'message.sent', {}, { secret })).status).toBe(204)
    expect((await forged(app, { headers, path: '/scoped' })).status).toBe(401)
    expect(seen).toEqual([
      ['message.received', 'one'],
      ['message.received', 'one in the controller'],
      ['message.received', 'two'],
      ['message.received', true],
      ['message.sent', true],
      ['message.sent', true],
    ])
  })

  test('the method for the action of a service runs before that of the event, and of any', async () => {
    @Injectable()
    class Issues {
      @OnDelivery('issues.opened', { scheme })
      opened() {
        seen.push('opened')
      }

      @OnDelivery('issues', { scheme })
      issues({ action }: { action?: string }) {
        seen.push(action)
      }
    }
    const parts = {
      imports: [WebhookModule.forRoot({ secret, scheme, onIgnored: (step) => seen.push(step) })],
      controllers: [Acknowledging],
      providers: [Issues],
    }
    const app = await start(platform, {}, parts)
    for (const [event, action] of [
      ['issues', 'opened'],
      ['issues', 'closed'],
      ['push', 'opened'],
    ] as const) {
      expect((await deliverTo(app, event, { action }, { secret, scheme })).status).toBe(204)
    }
    expect(seen).toEqual(['opened', 'closed', expect.objectContaining({ event: 'push' })])
  })

  test('an Observable that a method returns is subscribed to', async () => {
    @Injectable()
    class Observing {
      @OnDelivery('message.received')
      handle({ event }: Delivery) {
        return defer(() => {
          seen.push(event)
          return EMPTY
        })
      }

      @OnDelivery('message.sent')
      async later({ event }: Delivery) {
        return defer(() => {
          seen.push(event)
          return throwError(() => new HttpException('the last value never comes', 404))
        })
      }
    }
    const app = await start(
      platform,
      { options: { logger: false } },
      { controllers: [Acknowledging], providers: [Observing] },
    )
    expect((await sendValid(app)).status).toBe(204)
    expect((await deliverTo(app, 'message.sent', {}, { secret })).status).toBe(500)
    expect(seen).toEqual(['message.received', 'message.sent'])
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
    const app = await start(platform, {}, { imports, controllers: [Acknowledging] })
    expect((await sendValid(app)).status).toBe(204)
    expect((await deliverTo(app, 'message.sent', {}, { secret })).status).toBe(204)
    expect(seen).toEqual([
      ['message.received', true],
      ['message.sent', true],
    ])
  })

  test('with middleware of Nest on the route, which runs before', async () => {
    const paths: string[] = []
    @Module({
      imports: [WebhookModule.forRoot({ secret, onRejected: false })],
      controllers: [WebhooksController, OtherController],
    })
    class AppModule implements NestModule {
      configure(consumer: MiddlewareConsumer) {
        const note = (req: { originalUrl: string }, _res: unknown, next: () => void) => {
          paths.push(req.originalUrl)
          next()
        }
        consumer
          .apply(note)
          .forRoutes(WebhooksController, { path: 'webhooks', method: RequestMethod.POST })
      }
    }
    const app = await createApplication(platform, AppModule)
    open.push(app)
    await expectReceiver(app)
    expect(new Set(paths)).toEqual(new Set(['/webhooks']))
    await expectOthers(app)
  })

  test('a body that something else has read gets 500, and what the detail advises helps', async () => {
    const rejected: string[] = []
    const started = async (parser: ReturnType<typeof express.json>) => {
      const onRejected = ({ reason, detail }: Rejection) =>
        void rejected.push(`${reason}: ${detail}`)
      @Module({
        imports: [WebhookModule.forRoot({ secret, onRejected })],
        controllers: [WebhooksController],
      })
      class AppModule implements NestModule {
        configure(consumer: MiddlewareConsumer) {
          consumer.apply(parser).forRoutes('webhooks')
        }
      }
      const app = await createApplication(platform, AppModule, { options: { rawBody: true } })
      open.push(app)
      return app
    }
    expect((await sendValid(await started(express.json()))).status).toBe(500)
    expect(seen).toEqual([])
    const advised = 'json({ verify: (req, _res, bytes) => { req.rawBody = bytes } })'
    expect(rejected).toEqual([expect.stringMatching(/^body_already_read: /)])
    expect(rejected[0]).toContain(advised)
    const verify = (req: object, _res: unknown, bytes: Buffer) => {
      Object.assign(req, { rawBody: bytes })
    }
    await expectReceiver(await started(express.json({ verify })))
  })

  test('several endpoints, each with its secret and its handlers', async () => {
    @Controller()
    class Both {
      @Post('webhooks')
      @WebhookEndpoint()
      receive() {}

      @Post('billing')
      @WebhookEndpoint('billing')
      receiveBilling() {}
    }
    @Injectable()
    class Handlers {
      @OnDelivery('message.received')
      handle({ id }: Delivery) {
        seen.push(['default', id])
      }

      @OnDelivery('message.received', { name: 'billing' })
      handleBilling({ id }: Delivery) {
        seen.push(['billing', id])
      }
    }
    const store = memoryStore()
    const parts = {
      imports: [
        WebhookModule.forRoot({ secret, onRejected: false, store }),
        WebhookModule.forRootAsync({
          name: 'billing',
          useFactory: async () => ({ secret: 'whsec_b', onRejected: false, store }),
        }),
      ],
      controllers: [Both],
      providers: [Handlers],
    }
    const app = await start(platform, {}, parts)
    const id = 'one'
    for (const _ of [1, 2]) {
      expect((await sendValid(app, { id })).status).toBe(204)
      expect((await sendValid(app, { id, path: '/billing', secret: 'whsec_b' })).status).toBe(204)
      expect((await sendValid(app, { id, path: '/billing' })).status).toBe(401)
    }
    expect(seen).toEqual([
      ['default', id],
      ['billing', id],
    ])
  })

  test('forRootAsync has the secret and the store from other providers', async () => {
    const STORE = Symbol('store')
    @Injectable()
    class Config {
      readonly secret = secret
    }
    @Module({
      providers: [Config, { provide: STORE, useFactory: () => memoryStore() }],
      exports: [Config, STORE],
    })
    class Infrastructure {}
    @Injectable()
    class Handler {
      @OnDelivery('message.sent')
      @OnDelivery('message.received')
      handle({ event }: Delivery) {
        seen.push([event, true])
      }
    }
    const module = WebhookModule.forRootAsync({
      imports: [Infrastructure],
      inject: [Config, STORE],
      useFactory: (config: Config, store: DeliveryStore) => ({
        secret: config.secret,
        onRejected: false,
        store,
      }),
    })
    const parts = { imports: [module], controllers: [Acknowledging], providers: [Handler] }
    const app = await start(platform, {}, parts)
    for (const id of ['one', 'one', 'two']) expect((await sendValid(app, { id })).status).toBe(204)
    expect((await deliverTo(app, 'message.sent', {}, { secret })).status).toBe(204)
    expect((await deliverTo(app, 'message.read', {}, { secret })).status).toBe(204)
    expect(seen.map((each) => Object(each)[0])).toEqual([
      'message.received',
      'message.received',
      'message.sent',
    ])
  })

  test('in a testing module, which gets its platform later', async () => {
    const testing = await Test.createTestingModule({
      imports: [WebhookModule.forRoot({ secret, onRejected: false })],
      controllers: [WebhooksController, OtherController],
    }).compile()
    const app = testing.createNestApplication(platforms[platform](), { logger: false })
    open.push(app)
    await expectReceiver(app)
    await expectOthers(app)
  })
})

test('on Express, parsers of main.ts leave the endpoint alone too', async () => {
  const configure = (app: INestApplication) => {
    app.use(express.json({ limit: '5mb' }), express.text())
    app.use('/api', express.urlencoded({ extended: true }), express.raw())
    app.setGlobalPrefix('api')
  }
  const app = await start('express', { configure, options: { bodyParser: false } })
  expect((await sendValid(app, { path: '/api/webhooks' })).status).toBe(204)
  const headers = { 'Content-Type': 'application/x-www-form-urlencoded' }
  expect((await sendValid(app, { path: '/api/webhooks', headers })).status).toBe(204)
  const large = JSON.stringify({ item: 'x'.repeat(2_000_000) })
  expect((await send(app, large, { path: '/api/orders' })).status).toBe(201)
  expect(
    (await send(app, 'item=b', { path: '/api/orders', type: headers['Content-Type'] })).body.order,
  ).toEqual({ item: 'b' })
})

test('on Express, a path below that of a mounted parser is not taken for the endpoint', async () => {
  const configure = (app: INestApplication) => {
    const admin = express.Router().post('/webhooks', (req, res) => void res.json(req.body))
    app.use('/admin', express.json(), admin)
  }
  const app = await start('express', { configure })
  expect((await send(app, '{"a":1}', { path: '/admin/webhooks' })).body).toEqual({ a: 1 })
  expect((await sendValid(app)).status).toBe(204)
})

test('on Express, an application that is mounted in another one spares its endpoint', async () => {
  const app = await start('express')
  await app.init()
  const outer = express().use('/nest', app.getHttpAdapter().getInstance())
  const statusOf = (path: string) =>
    deliverToListener(outer, 'message.received', {}, { secret, path }).then(({ status }) => status)
  expect([await statusOf('/nest/webhooks'), await statusOf('/webhooks')]).toEqual([204, 404])
})

test('on Express, another host of the path gets its parsed body, behind the endpoint', async () => {
  @Controller({ path: 'webhooks', host: 'hooks.localhost' })
  class Hooks {
    @Post()
    @WebhookEndpoint()
    receive(@Delivery() { event }: Delivery) {
      seen.push([event, true])
    }
  }
  @Controller({ path: 'webhooks', host: 'localhost' })
  class Other {
    @Post()
    parsed(@Body() body: unknown) {
      return { parsed: body }
    }
  }
  const status = async (app: INestApplication) =>
    (await sendValid(app, { headers: { Host: 'hooks.localhost' } })).status
  const app = await start('express', {}, { controllers: [Hooks, Other] })
  expect(await status(app)).toBe(204)
  const { body } = await deliverTo(
    app,
    'message.read',
    {},
    { secret, headers: { Host: 'localhost' } },
  )
    .then((response) => response.json())
    .then(({ parsed }) => ({ body: parsed.event }))
  expect([body, seen.splice(0)]).toEqual(['message.read', [['message.received', true]]])
  // The other way round the body is gone. Nothing runs then.
  const reversed = await start('express', {}, { controllers: [Other, Hooks] })
  expect([await status(reversed), seen]).toEqual([500, []])
})

describe('is an error at start', () => {
  const started = (parts: Parameters<typeof moduleOf>[0]) =>
    createApplication('express', moduleOf(parts), { options: { logger: false } }).then((app) =>
      app.init(),
    )
  const endpoint = WebhookModule.forRoot({ secret })

  test('no secret', async () => {
    const imports = [WebhookModule.forRoot({ secret: undefined })]
    await expect(started({ imports })).rejects.toThrow(
      /^The secret is undefined: is its environment variable set/,
    )
  })

  test.each([
    ['no options', undefined],
    ['options that are the secret', secret],
    ['null', null],
  ])('%s', async (_name, options) => {
    const needed = 'WebhookModule takes an object: { secret'
    const ofRoot = Reflect.apply(WebhookModule.forRoot, WebhookModule, [options])
    await expect(started({ imports: [ofRoot] })).rejects.toThrow(needed)
    const useFactory = () => options as never
    const ofFactory = WebhookModule.forRootAsync({ useFactory })
    await expect(started({ imports: [ofFactory] })).rejects.toThrow(needed)
  })

  test('the module itself in the place of forRoot', async () => {
    await expect(started({ imports: [WebhookModule] })).rejects.toThrow(
      'argument "WebhookModule.forRoot(), not WebhookModule"',
    )
  })

  test('@OnDelivery that was not called: its method would never run', () => {
    const method = Object.getOwnPropertyDescriptor(Acknowledging.prototype, 'receive')
    const uncalled = () =>
      Reflect.apply(OnDelivery, undefined, [Acknowledging.prototype, 'receive', method])
    expect(uncalled).toThrow("Write @OnDelivery('any').")
  })

  test('an option that does not exist', async () => {
    const options: WebhookModuleOptions = Object.assign({ secret }, { tolerence: 1 })
    await expect(started({ imports: [WebhookModule.forRoot(options)] })).rejects.toThrow(
      'There is no option "tolerence"',
    )
  })

  test('an endpoint without its module', async () => {
    class Other {
      @Post()
      @WebhookEndpoint('billing')
      receive() {}
    }
    Controller()(Other)
    await expect(started({ imports: [endpoint], controllers: [Other] })).rejects.toThrow(
      "WebhookModule.forRoot({ name: 'billing', secret })",
    )
  })

  test('two modules of one name', async () => {
    await expect(
      started({ imports: [endpoint, WebhookModule.forRoot({ secret })] }),
    ).rejects.toThrow("There are 2 endpoints named 'default'")
  })

  class Received {
    @OnDelivery('message.received')
    received() {}
  }

  test('two methods for one event', async () => {
    class Again {
      @OnDelivery('message.received')
      again() {}
    }
    await expect(started({ imports: [endpoint], providers: [Received, Again] })).rejects.toThrow(
      /^Received.received \(in AppModule\) and Again.again \(in AppModule\) are both for 'message.received'/,
    )
  })

  test('a method for an endpoint that does not exist', async () => {
    class Billing {
      @OnDelivery('any', { name: 'billing' })
      handle() {}
    }
    await expect(started({ imports: [endpoint], providers: [Billing] })).rejects.toThrow(
      /^The endpoint of Billing.handle \(in AppModule\) does not exist\. Import .*'billing'/,
    )
  })

  test('an event that does not exist', async () => {
    class Misspelt {
      // @ts-expect-error There is no such event.
      @OnDelivery('message.recieved')
      received() {}
    }
    await expect(started({ imports: [endpoint], providers: [Misspelt] })).rejects.toThrow(
      /"message.recieved".*not an event/,
    )
  })
})

describe('a method with @OnDelivery whose class no module provides', () => {
  class Forgotten {
    @OnDelivery('message.received', { name: 'forgetful' })
    received() {}
  }
  class Provided extends Forgotten {}

  const warnings = async (providers: Provider[], name = 'forgetful') => {
    const warn = vi.spyOn(Logger.prototype, 'warn').mockReturnValue()
    const imports = [WebhookModule.forRoot({ name, secret })]
    const app = await createApplication('express', moduleOf({ imports, providers }))
    open.push(app)
    await app.init()
    const messages = warn.mock.calls.map(([message]) => message)
    warn.mockRestore()
    return messages
  }

  test('is warned of at start', async () => {
    const expected = [
      expect.stringMatching(/^Forgotten\.received is never called\. Add its class to `providers`/),
    ]
    expect(await warnings([])).toEqual(expected)
    const useFactory = () => new Forgotten()
    const scoped = { provide: Forgotten, scope: Scope.REQUEST, useFactory }
    expect(await warnings([scoped])).toEqual(expected)
  })

  test('is not warned of where the class is there in any way, or belongs to another endpoint', async () => {
    expect(await warnings([Forgotten])).toEqual([])
    expect(await warnings([Provided])).toEqual([])
    expect(await warnings([{ provide: 'any', useValue: new Forgotten() }])).toEqual([])
    expect(await warnings([], 'another')).toEqual([])
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
  const app = await start('express', { options: { logger: false } }, { controllers: [Unverified] })
  expect((await sendValid(app)).status).toBe(500)
  const lines = print.mock.calls.map(([line]) => line)
  print.mockRestore()
  expect(lines).toEqual([
    expect.stringMatching(
      /delivery_missing: .* "\/webhooks".* Add @WebhookEndpoint\(\) to the method\./,
    ),
  ])
  expect(seen).toEqual([])
})

test.each(['rpc', 'ws', 'graphql'])(
  'a call by %s is rejected, whatever its message looks like',
  async (type) => {
    @Injectable()
    class Resolver {
      @WebhookEndpoint()
      receive(...messages: unknown[]) {
        seen.push(messages)
      }
    }
    const app = await start('express', { options: { logger: false } }, { providers: [Resolver] })
    await app.init()
    const resolver = app.get(Resolver)
    const call = app
      .get(ExternalContextCreator)
      .create(
        resolver,
        resolver.receive,
        'receive',
        undefined,
        undefined,
        undefined,
        undefined,
        undefined,
        type,
      )
    const { headers, body } = await signDelivery(secret, 'message.received')
    const lowered = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])
    for (const message of [
      { method: 'POST', headers: Object.fromEntries(lowered), rawBody: Buffer.from(body) },
      { method: 'POST', headers: {} },
      { raw: {} },
      {},
    ]) {
      await expect(call(message, {})).rejects.toThrow(`and this is ${type}.`)
    }
    expect(seen).toEqual([])
  },
)

test('without an HTTP server, the module does nothing', async () => {
  const testing = await Test.createTestingModule({
    imports: [WebhookModule.forRoot({ secret })],
  }).compile()
  await expect(testing.init()).resolves.toBeDefined()
})

describe.each(PLATFORMS)('behind a filter for everything on %s', (platform) => {
  @Catch()
  class Filter implements ExceptionFilter {
    catch(error: unknown, host: ArgumentsHost) {
      const { reason } = error as WebhookError
      host.switchToHttp().getResponse().status(299).send({ reason })
    }
  }
  const configure = (app: INestApplication) => app.useGlobalFilters(new Filter())
  @Injectable()
  class Failing {
    @OnDelivery('any')
    handle() {
      const cause = Object.assign(new RangeError('the cause of it'), { detail: 'MARK' })
      throw Object.assign(new Error('broken', { cause }), { code: '23505', config: 'MARK' })
    }
  }
  const parts = { controllers: [WebhooksController], providers: [Failing] }

  test('a failed handler is 500, and Nest logs it with its stack and cause', async () => {
    const print = vi.spyOn(console, 'error').mockReturnValue()
    const app = await start(platform, { configure }, parts)
    const response = await deliverTo(app, 'message.received', {}, { secret })
    const logged = print.mock.calls.flat().join(' ')
    print.mockRestore()
    expect(response.status).toBe(500)
    expect(await response.json()).toEqual({ code: 'receiver_error', message: 'receiver error' })
    expect(logged).toMatch(
      /500 handler_failed at \/webhooks message.received \S+: the handler threw Error: broken\n\s+at .*code: 23505\n.*RangeError: the cause of it/s,
    )
    expect(logged).not.toContain('MARK')
  })

  test('with forwardErrors, the filter responds', async () => {
    const options = { forwardErrors: true, onError() {} }
    const app = await start(platform, { configure }, parts, options)
    const failed = await deliverTo(app, 'message.received', {}, { secret })
    expect([failed.status, await failed.json()]).toEqual([299, { reason: 'handler_failed' }])
    const rejected = await deliverTo(app, 'message.received', {}, { secret: 'whsec_other' })
    expect([rejected.status, await rejected.json()]).toEqual([
      299,
      { reason: 'signature_mismatch' },
    ])
  })

  test('with forwardErrors, the response has the headers of the error', async () => {
    const claim = () => ({ status: 'in_progress', retryAfter: 5 }) as const
    const options = { forwardErrors: true, store: { ...memoryStore(), claim } }
    const app = await start(platform, { configure }, parts, options)
    const copy = await deliverTo(app, 'message.received', {}, { secret })
    expect([copy.headers.get('retry-after'), await copy.json()]).toEqual([
      '5',
      { reason: 'delivery_in_progress' },
    ])
  })
})
