import { createHmac } from 'node:crypto'
import { createDelivery } from '@webhook-receiver/checks/signing.mjs'
import { type } from 'arktype'
import * as v from 'valibot'
import { z } from 'zod'

/** Of each library one, for an event of its own: the vectors are made for receivers without schemas. */
export const schemas = {
  'canary.zod': z.object({ status: z.enum(['ok']), text: z.string().max(1) }),
  'canary.valibot': v.object({ status: v.picklist(['ok']), count: v.number() }),
  'canary.arktype': type({ status: '"ok"', count: 'number' }),
}

/** Deliveries that fit none of the schemas, as cases like those of the vectors. */
export function schemaCases({ clock, secret, path }) {
  // A text that is a mark wherever it is in a body.
  const text = 'Good morning'
  const timestamp = String(clock)
  return Object.keys(schemas).map((event) => {
    const delivery = createDelivery(event, { status: text, text, count: text }, clock * 1000)
    const body = Buffer.from(JSON.stringify(delivery))
    const mac = createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest('hex')
    return {
      ...{ id: event, group: 'schema', description: 'content that fits no schema' },
      ...{ method: 'POST', path, http: 'HTTP/1.1', host: true, framing: 'content-length' },
      headers: [
        ['X-Webhook-Timestamp', timestamp],
        ['X-Webhook-Signature', `sha256=${mac}`],
      ],
      ...{ body: { base64: body.toString('base64') }, timestamp, secret },
      ...{ expect: ['server-error'], handler_calls: 0, policy: false },
    }
  })
}
