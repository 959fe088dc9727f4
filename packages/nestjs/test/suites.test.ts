import { All, Controller, HttpException, Injectable, Post, Req } from '@nestjs/common'
import { OnDelivery, WebhookEndpoint, WebhookModule } from '@webhook-receiver/nestjs'
import {
  describeHandler,
  describeOptions,
  describeSchemes,
  expectBrokenOff,
  bodyScheme as scheme,
} from '@webhook-receiver/suites'
import { afterEach, expect, test } from 'vitest'
import {
  Acknowledging,
  accepted,
  closeAll,
  handling,
  secret,
  seen,
  send,
  start,
} from './application.ts'
import { createApplication, moduleOf, PLATFORMS, running } from './platforms.ts'

afterEach(closeAll)

const values = [
  {
    name: 'an HttpException of 404',
    make: (mark: string) => new HttpException({ mark }, 404),
  },
]

for (const platform of PLATFORMS) {
  describeHandler(
    `nestjs, on ${platform}`,
    async ({ secret, now, path, handlers, options }) => {
      @Controller()
      class WebhooksController {
        @Post(path)
        @WebhookEndpoint()
        receive() {}
      }
      @Injectable()
      class Handler {}
      for (const [event, work] of Object.entries(handlers)) {
        Object.defineProperty(Handler.prototype, event, { value: work, configurable: true })
        const descriptor = { value: work }
        Reflect.apply(OnDelivery, undefined, [event])(Handler.prototype, event, descriptor)
      }
      const module = moduleOf({
        imports: [WebhookModule.forRoot({ secret, now, onRejected: false, ...options })],
        controllers: [WebhooksController],
        providers: [Handler],
      })
      return running(await createApplication(platform, module))
    },
    { values },
  )

  for (const describeEach of [describeSchemes, describeOptions]) {
    describeEach(
      `nestjs, on ${platform}`,
      'handler',
      async ({ secret, now, path, work, options }) => {
        @Controller(path)
        class WebhooksController {
          @All()
          @WebhookEndpoint()
          receive() {}
        }
        @Injectable()
        class Handler {
          @OnDelivery('any', { scheme: options.scheme as never })
          handle(...args: Parameters<typeof work>) {
            return work(...args)
          }
        }
        const module = moduleOf({
          imports: [WebhookModule.forRoot({ secret, now, onRejected: false, ...options })],
          controllers: [WebhooksController],
          providers: [Handler],
        })
        return running(await createApplication(platform, module, { options: { logger: false } }))
      },
    )

    // The method of the route itself.
    describeEach(
      `nestjs, on ${platform}`,
      'middleware',
      async ({ secret, now, path, work, options }) => {
        @Controller(path)
        class WebhooksController {
          @All()
          @WebhookEndpoint()
          receive(@Req() { delivery, verification }: { delivery: object; verification: object }) {
            work(delivery, Object({ verification }))
          }
        }
        const imports = [WebhookModule.forRoot({ secret, now, onRejected: false, ...options })]
        const module = moduleOf({ imports, controllers: [WebhooksController] })
        return running(await createApplication(platform, module, { options: { logger: false } }))
      },
    )
  }

  test(`nestjs, on ${platform}: a response that cannot be written is broken off`, async () => {
    const app = await start(platform)
    const rejected = () => send(app, '{}', { path: '/webhooks' })
    await expectBrokenOff('writeHead', rejected)
    expect((await rejected()).status).toBe(401)
  })

  test(`nestjs, on ${platform}: the method for an action runs before that of the event, and of any`, async () => {
    const methods = {
      'issues.opened': () => void seen.push('opened'),
      issues: ({ action }: { action?: string }) => void seen.push(action),
    }
    const app = await start(platform, {
      imports: [WebhookModule.forRoot({ secret, scheme, onIgnored: (step) => seen.push(step) })],
      controllers: [Acknowledging],
      providers: [handling(methods, { scheme })],
    })
    for (const [event, action] of [
      ['issues', 'opened'],
      ['issues', 'closed'],
      ['push', 'opened'],
    ] as const) {
      await accepted(app, { scheme }, event, { action })
    }
    expect(seen).toEqual(['opened', 'closed', expect.objectContaining({ event: 'push' })])
  })
}
