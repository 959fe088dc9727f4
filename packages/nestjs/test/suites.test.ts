import { All, Controller, HttpException, Req } from '@nestjs/common'
import { describeAdapter } from '@webhook-receiver/conformance'
import {
  Delivery,
  WebhookEndpoint,
  WebhookModule,
  type WebhookModuleOptions,
} from '@webhook-receiver/nestjs'
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
  acknowledgingAt,
  closeAll,
  handling,
  type Settings,
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
  const serve = async (
    options: object,
    parts: Parameters<typeof moduleOf>[0],
    settings: Settings = { options: { logger: false } },
  ) => {
    const given = { onRejected: false, ...options } as WebhookModuleOptions
    const imports = [WebhookModule.forRoot(given)]
    return running(await createApplication(platform, moduleOf({ imports, ...parts }), settings))
  }

  describeAdapter(
    `nestjs, on ${platform}`,
    ({ secret, now, path, onDelivery }) => {
      @Controller(path)
      class WebhooksController {
        // Some vectors want 405 for another method. With @Post(), Nest responds to those with 404.
        @All()
        @WebhookEndpoint()
        receive(@Delivery() delivery: Delivery) {
          return onDelivery(delivery)
        }
      }
      return serve({ secret, now }, { controllers: [WebhooksController] })
    },
    { sample: platform !== PLATFORMS[0] },
  )

  describeHandler(
    `nestjs, on ${platform}`,
    ({ secret, now, path, handlers, options }) => {
      const parts = {
        controllers: [acknowledgingAt(path)],
        providers: [handling(handlers as never)],
      }
      // What it prints is looked at.
      return serve({ secret, now, ...options }, parts, {})
    },
    { values },
  )

  for (const describeEach of [describeSchemes, describeOptions]) {
    describeEach(
      `nestjs, on ${platform}`,
      'handler',
      ({ secret, now, path, work, options: { scheme, ...options } }) =>
        serve(
          { secret, now, scheme, ...options },
          {
            controllers: [acknowledgingAt(path, All)],
            providers: [handling({ any: work as never }, { scheme: scheme as never })],
          },
        ),
    )

    // The method of the route itself.
    describeEach(`nestjs, on ${platform}`, 'middleware', ({ secret, now, path, work, options }) => {
      @Controller(path)
      class WebhooksController {
        @All()
        @WebhookEndpoint()
        receive(@Req() { delivery, verification }: { delivery: object; verification: object }) {
          work(delivery, Object({ verification }))
        }
      }
      return serve({ secret, now, ...options }, { controllers: [WebhooksController] })
    })
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
