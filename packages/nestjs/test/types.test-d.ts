import { Controller, Injectable, Post } from '@nestjs/common'
import { type ServiceDelivery, typed } from '@webhook-receiver/core'
import {
  Delivery,
  type DeliveryOf,
  type DeliveryStore,
  OnDelivery,
  Verification,
  type WebhookContext,
  WebhookEndpoint,
  WebhookModule,
} from '@webhook-receiver/nestjs'
import { bodyScheme } from '@webhook-receiver/suites'
import type { Request } from 'express'
import { expectTypeOf } from 'vitest'
import { z } from 'zod'

const secret = process.env.WEBHOOK_SECRET

const schemas = { 'message.received': z.object({ text: z.string() }) }

@Controller('webhooks')
export class WebhooksController {
  @Post()
  @WebhookEndpoint()
  receive(@Delivery() delivery: Delivery, @Verification() verification: Verification) {
    expectTypeOf(delivery.id).toEqualTypeOf<string>()
    expectTypeOf(verification.rawBody).toEqualTypeOf<Uint8Array>()
  }

  @Post('typed')
  @WebhookEndpoint('billing')
  typed(@Delivery() delivery: Delivery<typeof schemas, 'message.reacted'>) {
    if (!delivery.known) return
    expectTypeOf(delivery.event).extract<'message.reacted'>().toEqualTypeOf<'message.reacted'>()
    if (delivery.event === 'message.received') {
      expectTypeOf(delivery.data.data).toEqualTypeOf<{ text: string }>()
    }
  }

  // @ts-expect-error It is a decorator of methods.
  @WebhookEndpoint()
  readonly property = 1
}

@Injectable()
export class Handlers {
  @OnDelivery('message.received')
  received(
    { data }: DeliveryOf<'message.received', typeof schemas>,
    context: WebhookContext<object>,
  ) {
    expectTypeOf(data.data).toEqualTypeOf<{ text: string }>()
    expectTypeOf(context.signal).toEqualTypeOf<AbortSignal>()
  }

  @OnDelivery('message.sent')
  @OnDelivery('message.read', { name: 'billing' })
  async several(delivery: DeliveryOf<'message.sent'> | DeliveryOf<'message.read'>) {
    expectTypeOf(delivery.event).toEqualTypeOf<'message.sent' | 'message.read'>()
  }

  // @ts-expect-error The method is for another event.
  @OnDelivery('message.delivered')
  another(delivery: DeliveryOf<'message.sent'>) {
    return delivery
  }
}

interface Opened {
  readonly action: 'opened'
  readonly number: number
}
const scheme = typed<{ issues: Opened | { readonly action: 'closed' } }>(bodyScheme)
type Kind = NonNullable<(typeof scheme)['kind']>

@Injectable()
export class OfScheme {
  @OnDelivery('issues.opened', { scheme })
  opened({ event, data }: ServiceDelivery<Kind, 'issues'>) {
    expectTypeOf(event).toEqualTypeOf<'issues'>()
    return data
  }

  // @ts-expect-error There is no such action.
  @OnDelivery('issues.opend', { scheme })
  misspelt() {}
}

@Injectable()
export class OfService {
  @OnDelivery('invoice.paid')
  paid({ data, id, event }: DeliveryOf<'invoice.paid', typeof bodyScheme>) {
    expectTypeOf(data).toEqualTypeOf<Readonly<Record<string, unknown>>>()
    expectTypeOf([id, event]).toEqualTypeOf<string[]>()
  }

  @OnDelivery('issues.opened', { name: 'github' })
  opened({ event, data }: DeliveryOf<'issues.opened', typeof scheme>) {
    expectTypeOf(event).toEqualTypeOf<'issues'>()
    expectTypeOf(data.number).toEqualTypeOf<number>()
  }

  @OnDelivery('any', { name: 'github' })
  any({ scheme: name }: DeliveryOf<'any', typeof bodyScheme>) {
    expectTypeOf(name).toEqualTypeOf<'body'>()
  }

  // @ts-expect-error Nothing says which service it is of.
  @OnDelivery('invoice.paid')
  unnamed(delivery: Delivery) {
    return delivery
  }
}

const paid = OnDelivery('invoice.paid')
// For a method without a parameter, the compiler says which one to declare.
expectTypeOf<
  Parameters<typeof paid<() => void>>[2]['error']
>().toExtend<`${string} declare ${string}`>()

WebhookModule.forRoot({ secret, scheme: bodyScheme, duplicates: 'id' })
WebhookModule.forRoot({ name: 'billing', secret: { old: secret, new: secret }, schemas, limit: 1 })
WebhookModule.forRoot({ secret: ({ ip }: Request) => ip })
WebhookModule.forRoot({ secret: ({ headers }) => `${headers.host}` })
// @ts-expect-error There is no such option.
WebhookModule.forRoot({ secret, tolerence: 1 })

WebhookModule.forRootAsync({
  name: 'billing',
  inject: ['STORE'],
  useFactory: async (store: DeliveryStore) => ({ secret, schemas, store }),
})
// @ts-expect-error The factory returns no secret.
WebhookModule.forRootAsync({ useFactory: () => ({ tolerance: 1 }) })
