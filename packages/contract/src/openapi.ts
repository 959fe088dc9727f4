import { EVENTS } from '@webhook-receiver/core'
import { sampleDelivery } from '@webhook-receiver/core/testing'
import { DELIVERY_CHOICES, REGISTRATION_CHOICES, tableOf } from './choices.ts'
import { BODIES, deliverySchema } from './delivery-schema.ts'
import { HEADERS, SIGNATURE } from './headers.ts'
import { ABOUT, LICENSE, VERSION } from './info.ts'
import { CREATED_WEBHOOK, REGISTRATION } from './registration-schema.ts'
import { RESPONSES } from './responses.ts'

const SCHEMAS = '#/components/schemas'

/** The contract as OpenAPI 3.1. */
export const OPENAPI = {
  openapi: '3.1.1',
  info: {
    title: 'Webhooks of the messaging service',
    version: VERSION,
    license: LICENSE,
    description: `${ABOUT}\n\n## Deliveries\n\n${tableOf(DELIVERY_CHOICES)}\n\n## Registration\n\n${tableOf(REGISTRATION_CHOICES)}`,
  },
  servers: [
    {
      url: '{base_url}',
      variables: {
        base_url: {
          default: 'https://service.example',
          description: 'Address of the service, without a slash at the end.',
        },
      },
    },
  ],
  paths: {
    '/api/v1/webhooks': {
      post: {
        operationId: 'createWebhook',
        summary: 'Register a webhook',
        security: [{ apiKey: [] }],
        requestBody: {
          required: true,
          content: { 'application/json': { schema: { $ref: `${SCHEMAS}/Registration` } } },
        },
        responses: {
          '2XX': {
            description:
              'The webhook exists. Keep `secret`. The contract does not define the status; our client accepts any 2xx.',
            content: { 'application/json': { schema: { $ref: `${SCHEMAS}/CreatedWebhook` } } },
          },
          '4XX': {
            description:
              'The webhook was not created. The contract defines neither the statuses nor the body.',
          },
        },
      },
    },
  },
  webhooks: {
    delivery: {
      post: {
        operationId: 'receiveDelivery',
        summary: 'Receive a delivery',
        description:
          'The service sends every event to the `url` of the webhook. The contract does not define the responses of a receiver, nor whether the service retries. The responses below are those of our receivers. The status decides.',
        security: [{ signature: [] }],
        parameters: HEADERS.map((header) => ({ in: 'header', ...header })),
        requestBody: {
          required: true,
          description: 'UTF-8 JSON without a byte order mark.',
          content: {
            'application/json': {
              schema: { $ref: `${SCHEMAS}/Delivery` },
              examples: Object.fromEntries(
                EVENTS.map((event) => [event, { value: sample(event) }]),
              ),
            },
          },
        },
        responses: RESPONSES,
      },
    },
  },
  components: {
    securitySchemes: {
      apiKey: {
        type: 'http',
        scheme: 'bearer',
        description: 'The API key. The contract does not say how to get one.',
      },
      signature: { ...SIGNATURE, type: 'apiKey' },
    },
    schemas: {
      Registration: REGISTRATION,
      CreatedWebhook: CREATED_WEBHOOK,
      Delivery: deliverySchema(SCHEMAS),
      ...BODIES,
    },
  },
} as const

/** The same at each generation. */
function sample(event: string): object {
  return sampleDelivery(event, {
    id: '6f2c1c1e-7d0b-4c55-9f2a-0f6c3a5e8b11',
    now: () => Date.UTC(2026, 2, 10, 12),
    data: {},
  })
}
