import {
  Body,
  Controller,
  type INestApplication,
  type MiddlewareConsumer,
  Module,
  type NestModule,
  Param,
  Post,
  RequestMethod,
  VersioningType,
} from '@nestjs/common'
import { Test } from '@nestjs/testing'
import { Delivery, type Rejection, WebhookEndpoint, WebhookModule } from '@webhook-receiver/nestjs'
import { deliverTo as deliverToListener } from '@webhook-receiver/node/testing'
import express from 'express'
import { afterEach, describe, expect, test } from 'vitest'
import {
  accepted,
  closeAll,
  deliver,
  forge,
  OtherController,
  open,
  parsedAt,
  receiverAt,
  type Settings,
  secret,
  seen,
  send,
  start,
  WebhooksController,
} from './application.ts'
import { createApplication, PLATFORMS, type Platform, platforms } from './platforms.ts'

afterEach(closeAll)

const FORM = 'application/x-www-form-urlencoded'
const large = JSON.stringify({ item: 'x'.repeat(2_000_000) })
const quiet = { secret, onRejected: false } as const

/** A valid delivery reaches the handler, and a forged one does not. */
async function expectReceiver(
  app: INestApplication,
  options: { path?: string; headers?: Record<string, string> } = {},
) {
  await accepted(app, options)
  expect((await forge(app, options)).status).toBe(401)
  expect(seen.splice(0)).toEqual([['message.received', true]])
}

/** Other routes parse what Nest's parsers parse, and reject what they reject. */
async function expectOthers(app: INestApplication, prefix = '') {
  const path = `${prefix}/orders`
  const json = await send(app, '{"item":"a"}', { path })
  const parsed = { order: { item: 'a' }, type: 'application/json' }
  expect([json.status, json.body]).toEqual([201, parsed])
  expect((await send(app, 'item=b', { path, type: FORM })).body.order).toEqual({ item: 'b' })
  expect((await send(app, '{"item":', { path })).status).toBe(400)
  expect((await send(app, large, { path })).status).toBe(413)
  const put = await send(app, '{"a":1}', { path: `${prefix}/webhooks`, method: 'PUT' })
  expect(put.body).toEqual({ replaced: { a: 1 } })
}

const exclude = [{ path: 'webhooks', method: RequestMethod.POST }]
const inPath = { type: VersioningType.URI, defaultVersion: '2' } as const

/** What is in `main.ts`; the prefix of the endpoint; that of the other routes, if they have their parsers. */
const MAINS: readonly [name: string, Settings, prefix: string, others?: string][] = [
  ['NestFactory.create(AppModule)', {}, '', ''],
  ['{ rawBody: true }', { options: { rawBody: true } }, '', ''],
  ['{ bodyParser: false }', { options: { bodyParser: false } }, ''],
  ['a global prefix', { configure: (app) => app.setGlobalPrefix('api') }, '/api', '/api'],
  [
    'a prefix that excludes the webhooks',
    { configure: (app) => app.setGlobalPrefix('api', { exclude }) },
    '',
  ],
  ['versions in the path', { configure: (app) => app.enableVersioning(inPath) }, '/v2', '/v2'],
]

/** An application whose module applies middleware of Nest. */
async function withMiddleware(
  platform: Platform,
  apply: (consumer: MiddlewareConsumer) => unknown,
  options: Parameters<typeof WebhookModule.forRoot>[0],
) {
  @Module({
    imports: [WebhookModule.forRoot(options)],
    controllers: [WebhooksController, OtherController],
  })
  class AppModule implements NestModule {
    configure(consumer: MiddlewareConsumer) {
      apply(consumer)
    }
  }
  const app = await createApplication(platform, AppModule, { options: { rawBody: true } })
  open.push(app)
  return app
}

describe.each(PLATFORMS)('on %s', (platform) => {
  test.each(MAINS)('with %s', async (_name, settings, prefix, others) => {
    const app = await start(platform, {}, settings)
    await expectReceiver(app, { path: `${prefix}/webhooks` })
    if (others !== undefined) await expectOthers(app, others)
  })

  test('in a testing module, which gets its platform later', async () => {
    const testing = await Test.createTestingModule({
      imports: [WebhookModule.forRoot(quiet)],
      controllers: [WebhooksController, OtherController],
    }).compile()
    const app = testing.createNestApplication(platforms[platform](), { logger: false })
    open.push(app)
    await expectReceiver(app)
    await expectOthers(app)
  })

  test('takes any Content-Type, which the parsers would reject', async () => {
    const app = await start(platform)
    for (const type of ['nonsense', 'text/plain', 'application/json; charset=x', FORM]) {
      await accepted(app, { headers: { 'Content-Type': type } })
    }
  })

  test('with versions by a header, another version of the path gets its parsed body', async () => {
    const at = (version: string) => ({ path: 'webhooks', version })
    const controllers = [
      parsedAt(at('1'), 'first'),
      receiverAt(at('2')),
      parsedAt(at('3'), 'third'),
    ]
    const versioning = { type: VersioningType.HEADER, header: 'X-Version' } as const
    const configure = (app: INestApplication) => app.enableVersioning(versioning)
    const app = await start(platform, { controllers }, { configure })
    await expectReceiver(app, { headers: { 'X-Version': '2' } })
    const sent = (version: string, body = '{"a":1}') =>
      send(app, body, { path: '/webhooks', headers: { 'X-Version': version } })
    expect((await sent('1')).body).toEqual({ first: { a: 1 } })
    expect((await sent('3')).body).toEqual({ third: { a: 1 } })
    const statuses = [await sent('1', '{"a":'), await sent('3', '{"a":'), await sent('4')]
    expect(statuses.map(({ status }) => status)).toEqual([400, 400, 404])
  })

  test('with a pattern in front that gets the path too, that route gets its parsed body', async () => {
    @Controller()
    class Pattern {
      @Post(':name')
      parsed(@Body() body: unknown, @Param('name') name: string) {
        return { name, body }
      }
    }
    const app = await start(platform, { controllers: [Pattern, WebhooksController] })
    await app.init()
    // Express asks its routes in their order, and Fastify prefers the one without parameters.
    if (platform === 'fastify') return expectReceiver(app)
    const { body } = await send(app, '{"a":1}', { path: '/webhooks' })
    expect(body).toEqual({ name: 'webhooks', body: { a: 1 } })
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
    const app = await start(platform, { controllers: [Tenants] }, {}, { secret: ofTenant })
    await accepted(app, { path: '/hooks/a' })
    expect((await deliver(app, { path: '/hooks/b' })).status).toBe(401)
    expect(seen).toEqual([['message.received', 'a']])
  })

  test('with middleware of Nest on the route, which runs before', async () => {
    const paths = new Set<string>()
    const note = (req: { originalUrl: string }, _res: unknown, next: () => void) => {
      paths.add(req.originalUrl)
      next()
    }
    const routes = [WebhooksController, { path: 'webhooks', method: RequestMethod.POST }]
    const apply = (consumer: MiddlewareConsumer) => consumer.apply(note).forRoutes(...routes)
    const app = await withMiddleware(platform, apply, quiet)
    await expectReceiver(app)
    expect([...paths]).toEqual(['/webhooks'])
    await expectOthers(app)
  })

  test('a body that something else has read gets 500, and what the detail advises helps', async () => {
    const rejected: string[] = []
    const onRejected = ({ reason, detail }: Rejection) => void rejected.push(`${reason}: ${detail}`)
    const reading = (parser: ReturnType<typeof express.json>) =>
      withMiddleware(platform, (consumer) => consumer.apply(parser).forRoutes('webhooks'), {
        secret,
        onRejected,
      })
    expect((await deliver(await reading(express.json()))).status).toBe(500)
    expect(seen).toEqual([])
    expect(rejected).toEqual([expect.stringMatching(/^body_already_read: /)])
    expect(rejected[0]).toContain('json({ verify: (req, _res, bytes) => { req.rawBody = bytes } })')
    const verify = (req: object, _res: unknown, rawBody: Buffer) => {
      Object.assign(req, { rawBody })
    }
    await expectReceiver(await reading(express.json({ verify })))
  })
})

describe('on Express', () => {
  test('parsers of main.ts leave the endpoint alone too', async () => {
    const configure = (app: INestApplication) => {
      app.use(express.json({ limit: '5mb' }), express.text())
      app.use('/api', express.urlencoded({ extended: true }), express.raw())
      app.setGlobalPrefix('api')
    }
    const app = await start('express', {}, { configure, options: { bodyParser: false } })
    for (const headers of [{}, { 'Content-Type': FORM }]) {
      await accepted(app, { path: '/api/webhooks', headers })
    }
    expect((await send(app, large, { path: '/api/orders' })).status).toBe(201)
    const { body } = await send(app, 'item=b', { path: '/api/orders', type: FORM })
    expect(body.order).toEqual({ item: 'b' })
  })

  test('neither a path below that of a mounted parser nor another method is taken for the endpoint', async () => {
    const configure = (app: INestApplication) => {
      const admin = express.Router().all('/webhooks', (req, res) => void res.json(req.body))
      app.use('/admin', express.json(), admin)
    }
    const app = await start('express', {}, { configure })
    for (const method of ['POST', 'PUT']) {
      const { body } = await send(app, '{"a":1}', { path: '/admin/webhooks', method })
      expect(body).toEqual({ a: 1 })
    }
    await accepted(app)
  })

  test('an application that is mounted in another one spares its endpoint', async () => {
    const app = await start('express')
    await app.init()
    const outer = express().use('/nest', app.getHttpAdapter().getInstance())
    const statusOf = async (path: string) =>
      (await deliverToListener(outer, 'message.received', {}, { secret, path })).status
    expect([await statusOf('/nest/webhooks'), await statusOf('/webhooks')]).toEqual([204, 404])
  })

  test('another host of the path gets its parsed body, behind the endpoint', async () => {
    const hooks = receiverAt({ path: 'webhooks', host: 'hooks.localhost' })
    const other = parsedAt({ path: 'webhooks', host: 'localhost' }, 'parsed')
    const delivered = (app: INestApplication, host: string) =>
      deliver(app, { headers: { Host: host } })
    const app = await start('express', { controllers: [hooks, other] })
    expect((await delivered(app, 'hooks.localhost')).status).toBe(204)
    const { parsed } = await (await delivered(app, 'localhost')).json()
    expect([parsed.event, seen.splice(0)]).toEqual([
      'message.received',
      [['message.received', true]],
    ])
    // The other way round the body is gone. Nothing runs then.
    const reversed = await start('express', { controllers: [other, hooks] })
    expect([(await delivered(reversed, 'hooks.localhost')).status, seen]).toEqual([500, []])
  })
})
