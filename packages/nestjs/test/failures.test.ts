import type { ServerResponse } from 'node:http'
import { inspect } from 'node:util'
import {
  type ArgumentsHost,
  Catch,
  Controller,
  type ExceptionFilter,
  HttpException,
  type INestApplication,
  Injectable,
  Post,
  Res,
} from '@nestjs/common'
import { describeFailures, type FailingSetup } from '@webhook-receiver/conformance'
import {
  Delivery,
  memoryStore,
  OnDelivery,
  WebhookEndpoint,
  WebhookModule,
  type WebhookModuleOptions,
} from '@webhook-receiver/nestjs'
import { deliverTo } from '@webhook-receiver/nestjs/testing'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createApplication, moduleOf, PLATFORMS, type Platform, running } from './platforms.ts'

const values = [
  {
    name: 'an HttpException of 404',
    make: (mark: string) => new HttpException({ mark }, 404),
    isMarked: false,
  },
]

for (const platform of PLATFORMS) {
  describeFailures(
    `nestjs, on ${platform}`,
    (setup) => {
      @Controller()
      class WebhooksController {
        @Post(setup.path)
        @WebhookEndpoint()
        receive(@Delivery() delivery: Delivery) {
          return setup.handler(delivery)
        }
      }
      return serve(platform, setup, { controllers: [WebhooksController] })
    },
    { values },
  )

  const stores = { 'without a store': undefined, 'with a store': { store: memoryStore() } }
  for (const [name, handling] of Object.entries(stores)) {
    describeFailures(
      `nestjs, on ${platform}, with @OnDelivery ${name}`,
      (setup) => {
        @Controller()
        class WebhooksController {
          @Post(setup.path)
          @WebhookEndpoint()
          receive() {}
        }
        @Injectable()
        class Handler {
          @OnDelivery('any')
          handle(delivery: Delivery) {
            return setup.handler(delivery)
          }
        }
        return serve(
          platform,
          setup,
          { controllers: [WebhooksController], providers: [Handler] },
          { handling },
        )
      },
      { values },
    )
  }
}

async function serve(
  platform: Platform,
  { secret, onError }: FailingSetup,
  parts: Parameters<typeof moduleOf>[0],
  options: Partial<WebhookModuleOptions> = {},
) {
  const module = moduleOf({ ...parts, imports: [WebhookModule.forRoot({ secret, ...options })] })
  const configure = (app: INestApplication) => onError && app.useGlobalFilters(filterOf(onError))
  return running(await createApplication(platform, module, { configure }))
}

/** An exception filter of the application, for everything. */
function filterOf(onError: (error: unknown) => number): ExceptionFilter {
  @Catch()
  class Filter implements ExceptionFilter {
    catch(error: unknown, host: ArgumentsHost) {
      host.switchToHttp().getResponse().status(onError(error)).send()
    }
  }
  return new Filter()
}

test.each(PLATFORMS)(
  'cuts off the answer that the handler had begun on %s, and Nest logs why',
  async (platform) => {
    @Controller()
    class WebhooksController {
      @Post('webhooks')
      @WebhookEndpoint()
      receive(@Res() reply: { readonly raw?: ServerResponse }) {
        const response = reply.raw ?? (reply as ServerResponse)
        response.writeHead(200, { 'Content-Length': '10' }).write('half')
        throw new Error('broken off')
      }
    }
    const module = moduleOf({
      imports: [WebhookModule.forRoot({ secret: 'whsec_failing' })],
      controllers: [WebhooksController],
    })
    const print = vi.spyOn(console, 'error').mockReturnValue()
    const app = await createApplication(platform, module)
    onTestFinished(async () => {
      print.mockRestore()
      await app.close()
    })
    const answer = deliverTo(app, 'message.received', {}, { secret: 'whsec_failing' })
    await expect(answer.then((begun) => begun.text())).rejects.toThrow()
    const texts = print.mock.calls.map((args) => args.map((arg) => inspect(arg)).join(' '))
    expect(texts).toEqual([expect.stringContaining('broken off')])
  },
)
