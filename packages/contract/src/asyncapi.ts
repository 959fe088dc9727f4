import { DELIVERY_CHOICES, tableOf } from './choices.ts'
import { BODIES } from './delivery-schema.ts'
import { HEADERS, SIGNATURE } from './headers.ts'
import { ABOUT, VERSION } from './info.ts'
import { RESPONSES } from './responses.ts'

const TITLES = Object.keys(BODIES)

/** The deliveries as AsyncAPI 3.0, from the view of a receiver. */
export const ASYNCAPI = {
  asyncapi: '3.0.0',
  info: {
    title: 'Deliveries of the messaging service',
    version: VERSION,
    license: { name: 'MIT', url: 'https://opensource.org/license/mit' },
    description: `${ABOUT}\n\n## Deliveries\n\n${tableOf(DELIVERY_CHOICES)}\n\n## Responses\n\n${responses()}`,
  },
  defaultContentType: 'application/json',
  channels: {
    deliveries: {
      description: 'The `url` that was given when the webhook was registered.',
      messages: byTitle((title) => ({ $ref: `#/components/messages/${title}` })),
    },
  },
  operations: {
    receiveDelivery: {
      action: 'receive',
      channel: { $ref: '#/channels/deliveries' },
      summary: 'Receive a delivery',
      security: [{ $ref: '#/components/securitySchemes/signature' }],
      messages: TITLES.map((title) => ({ $ref: `#/channels/deliveries/messages/${title}` })),
      bindings: { http: { method: 'POST', bindingVersion: '0.3.0' } },
    },
  },
  components: {
    messages: byTitle((title) => ({
      name: title,
      headers: { $ref: '#/components/schemas/Headers' },
      payload: { $ref: `#/components/schemas/${title}` },
    })),
    schemas: { Headers: headers(), ...BODIES },
    securitySchemes: {
      signature: { ...SIGNATURE, type: 'httpApiKey' },
    },
  },
} as const

function byTitle(make: (title: string) => object): Readonly<Record<string, object>> {
  return Object.fromEntries(TITLES.map((title) => [title, make(title)]))
}

/** AsyncAPI describes the headers as one object. */
function headers(): object {
  return {
    type: 'object',
    required: HEADERS.filter(({ required }) => required).map(({ name }) => name),
    properties: Object.fromEntries(
      HEADERS.map(({ name, schema, description }) => [name, { ...schema, description }]),
    ),
  }
}

/** AsyncAPI has no place for the responses to a message over HTTP. */
function responses(): string {
  const items = Object.entries(RESPONSES).map(
    ([status, { description }]) => `- **${status}** ${description.replaceAll('\n\n', ' ')}`,
  )
  return items.join('\n')
}
