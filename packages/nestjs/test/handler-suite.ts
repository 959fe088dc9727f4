import { Controller, HttpException, Injectable, Post } from '@nestjs/common'
import { OnDelivery, WebhookEndpoint, WebhookModule } from '@webhook-receiver/nestjs'
import { describeHandler } from '@webhook-receiver/suites'
import { createApplication, moduleOf, type Platform, running } from './platforms.ts'

const values = [
  {
    name: 'an HttpException of 404',
    make: (mark: string) => new HttpException({ mark }, 404),
    isMarked: false,
  },
]

/** The suite of all adapters on one platform: it replaces console.error, so each has a file of its own. */
export function describePlatform(platform: Platform): void {
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
}
