/** The headers of a delivery, with the schema of each value. */
export const HEADERS = [
  {
    name: 'X-Webhook-Signature',
    required: true,
    description:
      '`sha256=` and the HMAC-SHA256 of the delivery in 64 lowercase hexadecimal digits. The key is the secret of the webhook. The signed bytes are the value of X-Webhook-Timestamp, a `.`, and the body as sent.',
    schema: {
      type: 'string',
      pattern: '^sha256=[0-9a-f]{64}$',
      examples: ['sha256=f84ebf7ce7b52eda7481681d6cb1a74907f5511eb0f02e84ce6c2d74df3e0ba7'],
    },
  },
  {
    name: 'X-Webhook-Timestamp',
    required: true,
    description:
      'When the delivery was signed. It is part of the signed bytes. The contract does not define its form. Our choice: Unix seconds (10 digits), Unix milliseconds (13 digits), RFC 3339 with a zone, or an HTTP-date (IMF-fixdate).',
    schema: {
      type: 'string',
      minLength: 1,
      examples: [
        '1773144000',
        '1773144000000',
        '2026-03-10T12:00:00.000Z',
        'Tue, 10 Mar 2026 12:00:00 GMT',
      ],
    },
  },
  {
    name: 'X-Webhook-Id',
    required: false,
    description:
      'Id of the delivery. The signature does not cover it, so a sender of a copy can change it: detect duplicates by `id` in the body. The service sends this header. Our choice: a delivery without it is accepted.',
    schema: { type: 'string', examples: ['6f2c1c1e-7d0b-4c55-9f2a-0f6c3a5e8b11'] },
  },
] as const

/** The security scheme of a delivery. Neither OpenAPI nor AsyncAPI has a type for a signature. */
export const SIGNATURE = {
  in: 'header',
  name: HEADERS[0].name,
  description: 'HMAC-SHA256 of the delivery; see the header of this name.',
} as const
