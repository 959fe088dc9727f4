import { Controller, Injectable, Post } from '@nestjs/common'
import { describeHandler } from '@webhook-receiver/conformance'
import { Delivery, OnDelivery, WebhookEndpoint, WebhookModule } from '@webhook-receiver/nestjs'
import { createApplication, moduleOf, type Platform, running } from './platforms.ts'

/** The suite of all adapters on one platform: it replaces console.error, so each has a file of its own. */
export function describePlatform(platform: Platform): void {
  describeHandler(
    `nestjs, on ${platform}`,
    async ({ secret, now, path, handlers, options: handling }) => {
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
        imports: [WebhookModule.forRoot({ secret, now, onRejected: false, handling })],
        controllers: [WebhooksController],
        providers: [Handler],
      })
      return running(await createApplication(platform, module))
    },
    {
      // 1,000 go through the same code in the suites of Express and Fastify.
      ids: 100,
      startWithoutReceiver: async ({ path, handlers }) => {
        @Controller()
        class WebhooksController {
          @Post(path)
          receive(@Delivery() delivery: Delivery) {
            return handlers.any?.(delivery, { signal: AbortSignal.abort(), transaction: undefined })
          }
        }
        const module = moduleOf({ controllers: [WebhooksController] })
        return running(await createApplication(platform, module, { options: { logger: false } }))
      },
    },
  )
}
