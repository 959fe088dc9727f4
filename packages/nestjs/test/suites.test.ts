import { All, Controller, HttpException, Injectable, Post, Req } from '@nestjs/common'
import { OnDelivery, WebhookEndpoint, WebhookModule } from '@webhook-receiver/nestjs'
import { describeHandler, describeOptions, describeSchemes } from '@webhook-receiver/suites'
import { createApplication, moduleOf, PLATFORMS, running } from './platforms.ts'

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
}
