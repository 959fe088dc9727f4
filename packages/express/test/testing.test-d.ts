import type { WebhookEvent } from '@webhook-receiver/core'
import { deliverTo } from '@webhook-receiver/express/testing'
import express from 'express'
import { expectTypeOf } from 'vitest'

const app = express()

// The seven events are offered, and any other name is taken.
deliverTo(app, 'message.received')
deliverTo(app, 'message.reacted', { emoji: '👍' }, { path: '/hooks', tamper: 'alter' })
expectTypeOf(deliverTo(app, 'message.read')).toEqualTypeOf<Promise<Response>>()
expectTypeOf<Parameters<typeof deliverTo>[1]>().toEqualTypeOf<WebhookEvent | (string & {})>()

// @ts-expect-error an event has a name
deliverTo(app, 1)
// @ts-expect-error content is an object
deliverTo(app, 'message.read', 'hello')
// @ts-expect-error a misspelled option
deliverTo(app, 'message.read', {}, { secert: 'whsec_x' })
// @ts-expect-error no such tampering
deliverTo(app, 'message.read', {}, { tamper: 'forge' })
// @ts-expect-error an application is called with a request
deliverTo({}, 'message.read')
