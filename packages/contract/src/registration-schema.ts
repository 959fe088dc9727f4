import { EVENTS } from '@webhook-receiver/core'

/** What a client sends to create a webhook. */
export const REGISTRATION = {
  title: 'Registration',
  description:
    'What a client sends to create a webhook. The contract does not say whether `events` is required or may be empty. Our choice: it has at least one event, and each event once.',
  type: 'object',
  required: ['url', 'events'],
  properties: {
    url: {
      type: 'string',
      format: 'uri',
      pattern: '^https://',
      description: 'Where the service sends the deliveries.',
      examples: ['https://receiver.example/webhooks'],
    },
    events: {
      type: 'array',
      items: { type: 'string', enum: EVENTS },
      minItems: 1,
      uniqueItems: true,
      description: 'The events to deliver.',
    },
  },
} as const

/** The response of the service when it has created a webhook. */
export const CREATED_WEBHOOK = {
  title: 'CreatedWebhook',
  description:
    'The response of the service when it has created a webhook. The contract names only `secret`; more properties are possible.',
  type: 'object',
  required: ['secret'],
  properties: {
    secret: {
      type: 'string',
      pattern: '^whsec_',
      description:
        'Signs every delivery of this webhook. The whole string is the key, `whsec_` included. The service sends it only this once.',
    },
  },
} as const
