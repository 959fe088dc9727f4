const DISCORD = {
  package: 'discord-interactions',
  version: '4.4.0',
  bytes: true,
  make: ({ verifyKey }) => ({
    verify: ({ secret, headers, body }) =>
      verifyKey(body, headers['x-signature-ed25519'], headers['x-signature-timestamp'], secret),
  }),
}

/**
 * The services' own SDKs, at the versions that were last compared. `sign` and `verify` take the body as text, or as bytes where the SDK does.
 * `explained` says where one decides differently, and why we do not follow it.
 */
export const SDKS = {
  'standard-webhooks': {
    package: 'standardwebhooks',
    version: '1.1.1',
    make: ({ Webhook }) => webhookClass(Webhook, 'webhook'),
  },
  svix: {
    package: 'svix',
    version: '1.99.1',
    make: ({ Webhook }) => webhookClass(Webhook, 'svix'),
  },
  stripe: {
    package: 'stripe',
    version: '23.1.0',
    make: ({ default: Stripe }) => {
      const { webhooks } = new Stripe('sk_test_none')
      return {
        sign: ({ secret, text, time }) => ({
          'stripe-signature': webhooks.generateTestHeaderString({
            payload: text,
            secret,
            timestamp: time,
          }),
        }),
        verify({ secret, headers, text }) {
          const { signature } = webhooks
          try {
            return signature.verifyHeader(text, headers['stripe-signature'], secret, 300)
          } catch (error) {
            if (error.type === 'StripeSignatureVerificationError') return false
            throw error
          }
        },
      }
    },
  },
  github: {
    package: '@octokit/webhooks-methods',
    entry: 'dist-node/index.js',
    version: '6.0.0',
    make: ({ sign, verify }) => ({
      sign: async ({ secret, text }) => ({ 'x-hub-signature-256': await sign(secret, text) }),
      verify: ({ secret, headers, text }) => verify(secret, text, headers['x-hub-signature-256']),
    }),
  },
  slack: {
    package: '@slack/bolt',
    version: '5.1.0',
    entry: 'dist/receivers/verify-request.js',
    make: ({ isValidSlackRequest }) => ({
      verify: ({ secret, headers, text }) =>
        isValidSlackRequest({ signingSecret: secret, body: text, headers }),
    }),
  },
  twilio: {
    package: 'twilio',
    version: '6.2.0',
    entry: 'lib/webhooks/webhooks.js',
    make: ({ getExpectedTwilioSignature, validateRequest, validateRequestWithBody }) => ({
      sign: ({ secret, text, url }) => ({
        'x-twilio-signature': getExpectedTwilioSignature(
          secret,
          url,
          isHashed(url) ? null : form(text),
        ),
      }),
      verify({ secret, headers, text, url }) {
        const signature = headers['x-twilio-signature']
        return isHashed(url)
          ? validateRequestWithBody(secret, signature, url, text)
          : validateRequest(secret, signature, url, form(text))
      },
    }),
  },
  paddle: {
    package: '@paddle/paddle-node-sdk',
    version: '3.10.0',
    make: ({ Paddle }) => {
      const { webhooks } = new Paddle('key')
      return {
        verify: ({ secret, headers, text }) =>
          webhooks.isSignatureValid(text, secret, headers['paddle-signature']),
      }
    },
  },
  square: {
    package: 'square',
    version: '46.0.0',
    make: ({ WebhooksHelper }) => ({
      verify: ({ secret, headers, text, url }) =>
        WebhooksHelper.verifySignature({
          requestBody: text,
          signatureHeader: headers['x-square-hmacsha256-signature'],
          signatureKey: secret,
          notificationUrl: url,
        }),
    }),
  },
  linear: {
    package: '@linear/sdk',
    version: '98.0.0',
    entry: 'webhooks',
    bytes: true,
    make: ({ LinearWebhookClient }) => ({
      verify({ secret, headers, body }) {
        try {
          return new LinearWebhookClient(secret).verify(
            Buffer.from(body),
            headers['linear-signature'],
          )
        } catch (error) {
          // It looks at the body's timestamp behind the signature, which hostile bodies do not have.
          return error.message !== 'Invalid webhook signature'
        }
      },
    }),
  },
  line: {
    package: '@line/bot-sdk',
    version: '11.0.0',
    bytes: true,
    make: ({ validateSignature }) => ({
      verify: ({ secret, headers, body }) =>
        validateSignature(Buffer.from(body), secret, headers['x-line-signature']),
    }),
  },
  sendgrid: {
    package: '@sendgrid/eventwebhook',
    version: '8.0.0',
    make: ({ EventWebhook }) => ({
      verify({ secret, headers, text }) {
        const judge = new EventWebhook()
        const name = 'x-twilio-email-event-webhook'
        return judge.verifySignature(
          judge.convertPublicKeyToECDSA(secret),
          text,
          headers[`${name}-signature`],
          headers[`${name}-timestamp`],
        )
      },
    }),
  },
  sanity: {
    package: '@sanity/webhook',
    version: '4.0.4',
    make: ({ encodeSignatureHeader, isValidSignature }) => ({
      sign: async ({ secret, text, time }) => ({
        'sanity-webhook-signature': await encodeSignatureHeader(text, time * 1000, secret),
      }),
      verify: ({ secret, headers, text }) =>
        isValidSignature(text, headers['sanity-webhook-signature'], secret),
    }),
  },
  shopify: {
    package: '@shopify/shopify-api',
    version: '13.1.0',
    entry: 'dist/cjs/lib/utils/hmac-validator.js',
    make: ({ validateHmacString }) => ({
      verify: ({ secret, headers, text }) =>
        validateHmacString(
          { apiSecretKey: secret },
          text,
          headers['x-shopify-hmac-sha256'] ?? headers['shopify-hmac-sha256'],
          'base64',
        ),
    }),
  },
  // Wise has no SDK that verifies: what it has published is in published.json.
  wise: { source: 'https://github.com/transferwise/digital-signatures-examples' },
  'discord-events': DISCORD,
  'discord-interactions': DISCORD,
  meta: {
    package: 'whatsapp',
    version: '0.0.5-Alpha',
    // Meta has archived it, and later versions of this name are somebody else's.
    isLast: true,
    entry: 'build/utils.js',
    make({ generateXHub256Sig }) {
      const signed = ({ secret, text }) => `sha256=${generateXHub256Sig(text, secret)}`
      return {
        sign: (one) => ({ 'x-hub-signature-256': signed(one) }),
        verify: (one) => signed(one) === one.headers['x-hub-signature-256'],
      }
    },
  },
  zoom: {
    package: '@zoom/rivet',
    version: '0.4.0',
    entry: 'meetings',
    explained: [
      [
        /byte order mark|CR LF$|not JSON|space behind/,
        'its SDK parses the body and signs it again',
      ],
    ],
    make({ AwsLambdaReceiver }) {
      // It logs every request.
      console.debug = () => {}
      return {
        async verify({ secret, headers, text }) {
          const receiver = new AwsLambdaReceiver({ webhooksSecretToken: secret })
          receiver.init({ eventEmitter: { emit: async () => {} } })
          const receive = receiver.start()
          return (await receive({ body: text, headers }, {})).statusCode === 200
        },
      }
    },
  },
}

function webhookClass(Webhook, prefix) {
  return {
    sign({ secret, text, id, time }) {
      const signature = new Webhook(secret).sign(id, new Date(time * 1000), text)
      return {
        [`${prefix}-id`]: id,
        [`${prefix}-timestamp`]: `${time}`,
        [`${prefix}-signature`]: signature,
      }
    },
    verify({ secret, headers, text }) {
      try {
        new Webhook(secret).verify(text, headers)
        return true
      } catch (error) {
        // Behind the signature it parses the body, and not all are JSON.
        return error instanceof SyntaxError
      }
    },
  }
}

function isHashed(url) {
  return url.includes('bodySHA256')
}

/** As the body parsers in front of the SDK have it. */
function form(text) {
  const fields = {}
  for (const [name, value] of new URLSearchParams(text)) {
    fields[name] = name in fields ? [fields[name], value].flat() : value
  }
  return fields
}
