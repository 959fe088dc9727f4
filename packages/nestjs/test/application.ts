import {
  Body,
  Controller,
  type ControllerOptions,
  Headers,
  type INestApplication,
  Injectable,
  Post,
  Put,
  type Type,
} from '@nestjs/common'
import type { Scheme } from '@webhook-receiver/core'
import {
  Delivery,
  OnDelivery,
  Verification,
  WebhookEndpoint,
  WebhookModule,
  type WebhookModuleOptions,
} from '@webhook-receiver/nestjs'
import { deliverTo } from '@webhook-receiver/nestjs/testing'
import { IsString } from 'class-validator'
import { expect } from 'vitest'
import { createApplication, moduleOf, type Platform } from './platforms.ts'

export const secret = 'whsec_nest'

/** What reached a handler in a test. */
export const seen: unknown[] = []
export const open: INestApplication[] = []

/** For `afterEach` of each file: in one process, they share this one. */
export async function closeAll(): Promise<void> {
  seen.length = 0
  await Promise.all(open.splice(0).map((app) => app.close()))
}

/** A controller whose POST is an endpoint. */
export function receiverAt(at: string | ControllerOptions): Type {
  @Controller(Object(typeof at === 'string' ? { path: at } : at))
  class Receiver {
    @Post()
    @WebhookEndpoint()
    receive(
      @Delivery() { event }: Delivery,
      @Verification() { rawBody }: Verification,
      @Headers('content-type') type: string,
    ) {
      seen.push([event, rawBody.length > 0 && type === 'application/json'])
    }
  }
  return Receiver
}

export const WebhooksController: Type = receiverAt('webhooks')

/** An endpoint that leaves the work to methods with `@OnDelivery`. */
export function acknowledgingAt(path: string, method: typeof Post = Post): Type {
  @Controller(path)
  class Acknowledging {
    @method()
    @WebhookEndpoint()
    receive(): void {}
  }
  return Acknowledging
}

export const Acknowledging: Type = acknowledgingAt('webhooks')

/** A controller whose POST responds with the body that it gets, below a name. */
export function parsedAt(at: ControllerOptions, name: string): Type {
  @Controller(at)
  class Parsed {
    @Post()
    parsed(@Body() body: unknown) {
      return { [name]: body }
    }
  }
  return Parsed
}

/** A provider with a method for each event. */
export function handling(
  methods: Readonly<Record<string, (delivery: Delivery & { action?: string }) => unknown>>,
  options: { readonly name?: string; readonly scheme?: Scheme } = {},
): Type {
  @Injectable()
  class Handling {}
  for (const [event, value] of Object.entries(methods)) {
    Object.defineProperty(Handling.prototype, event, { value })
    Reflect.apply(OnDelivery, undefined, [event, options])(Handling.prototype, event, { value })
  }
  return Handling
}

class Order {
  @IsString()
  item!: string
}

/** Other routes of the application, the first of them right behind the endpoint. */
@Controller()
export class OtherController {
  @Put('webhooks')
  replace(@Body() body: unknown): object {
    return { replaced: body }
  }

  @Post('orders')
  order(@Body() order: Order, @Headers('content-type') type: string): object {
    return { order, type }
  }
}

export type Settings = Parameters<typeof createApplication>[2]

export async function start(
  platform: Platform,
  parts: Parameters<typeof moduleOf>[0] = {},
  settings: Settings = {},
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
export async function send(
  app: INestApplication,
  body: string,
  { path = '/orders', type = 'application/json', method = 'POST', headers = {} }: Sent = {},
) {
  if (!app.getHttpServer().listening) await app.listen(0, '127.0.0.1')
  const url = `http://127.0.0.1:${app.getHttpServer().address().port}${path}`
  const response = await fetch(url, { method, body, headers: { 'Content-Type': type, ...headers } })
  const text = await response.text()
  const { status } = response
  return { status, body: text.startsWith('{') ? JSON.parse(text) : text }
}

/** Sends a valid delivery. */
export async function deliver(
  app: INestApplication,
  options: Parameters<typeof deliverTo>[3] = {},
  event = 'message.received',
  data: object = {},
) {
  return deliverTo(app, event, { ...data }, { secret, ...options })
}

/** Sends a valid delivery, which has to be accepted. */
export async function accepted(...sent: Parameters<typeof deliver>): Promise<void> {
  expect((await deliver(...sent)).status).toBe(204)
}

export async function forge(app: INestApplication, options: Parameters<typeof deliverTo>[3] = {}) {
  return deliver(app, { secret: 'whsec_other', ...options })
}
