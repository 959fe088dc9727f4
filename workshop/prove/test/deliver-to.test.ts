import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { exampleFolder } from '../example.mjs'

/** An application in the words of its framework, which responds with 204. */
const APPLICATIONS = {
  express: `import express from 'express'
    import { webhookMiddleware } from '@webhook-receiver/express'
    const app = express().use(webhookMiddleware('whsec_test'), (req, res) => res.sendStatus(204))`,
  fastify: `import Fastify from 'fastify'
    import { webhookMiddleware } from '@webhook-receiver/fastify'
    const app = Fastify().register(webhookMiddleware('whsec_test'))
    app.after(() => app.post('/webhooks', (request, reply) => reply.code(204).send()))`,
  hono: `import { Hono } from 'hono'
    import { webhookMiddleware } from '@webhook-receiver/hono'
    const app = new Hono().post('/webhooks', webhookMiddleware('whsec_test'), (c) => c.body(null, 204))`,
  nestjs: `import 'reflect-metadata'
    import { Controller, Module, Post } from '@nestjs/common'
    import { NestFactory } from '@nestjs/core'
    import { WebhookEndpoint, WebhookModule } from '@webhook-receiver/nestjs'
    const receive = { value() {} }
    const controllers = [class { receive() {} }]
    for (const decorate of [Post('webhooks'), WebhookEndpoint()]) decorate(controllers[0].prototype, 'receive', receive)
    Object.defineProperty(controllers[0].prototype, 'receive', receive)
    Controller()(controllers[0])
    const AppModule = class {}
    Module({ imports: [WebhookModule.forRoot({ secret: 'whsec_test' })], controllers })(AppModule)
    const app = await NestFactory.create(AppModule, { logger: false })`,
  koa: `import Koa from 'koa'
    import { webhookMiddleware } from '@webhook-receiver/koa'
    const app = new Koa().use(webhookMiddleware('whsec_test')).use((ctx) => { ctx.status = 204 })`,
  'aws-lambda': `import { webhookHandler } from '@webhook-receiver/aws-lambda'
    const app = webhookHandler('whsec_test', () => {})`,
}

/** Longer than a process takes to see that nothing is left, shorter than any keep-alive, in milliseconds. */
const LINGERING = 4000

test.each(Object.entries(APPLICATIONS))(
  'deliverTo of %s leaves nothing that keeps a process alive',
  { timeout: 300_000 },
  async (framework, application) => {
    const program = `${application}
      import { deliverTo } from '@webhook-receiver/${framework}/testing'
      const { status } = await deliverTo(app, 'message.read', {}, { secret: 'whsec_test' })
      const done = performance.now()
      process.once('exit', () => console.log(status, performance.now() - done))`
    // What the example has installed is at hand in its folder, and the packages' sources by the condition.
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [
        '--conditions=@webhook-receiver/source',
        '--import=tsx',
        '--input-type=module',
        `--eval=${program}`,
      ],
      { cwd: exampleFolder(framework), timeout: 200_000 },
    )
    const [status, lingered] = stdout.trim().split(' ').map(Number)
    expect(status).toBe(204)
    expect(lingered).toBeLessThan(LINGERING)
  },
)
