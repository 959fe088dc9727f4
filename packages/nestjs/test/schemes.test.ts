import { Controller, Injectable, Post, Req } from '@nestjs/common'
import { OnDelivery, WebhookEndpoint, WebhookModule } from '@webhook-receiver/nestjs'
import { describeSchemes } from '@webhook-receiver/suites'
import { createApplication, moduleOf, PLATFORMS, running } from './platforms.ts'

for (const platform of PLATFORMS) {
  describeSchemes(
    `nestjs, on ${platform}`,
    'handler',
    async ({ secret, now, path, work, options }) => {
      @Controller(path)
      class WebhooksController {
        @Post()
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
  describeSchemes(
    `nestjs, on ${platform}`,
    'middleware',
    async ({ secret, now, path, work, options }) => {
      @Controller(path)
      class WebhooksController {
        @Post()
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
