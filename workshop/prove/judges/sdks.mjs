const DISCORD = {
  package: 'discord-interactions',
  bytes: true,
  make: ({ verifyKey }) => ({
    verify: ({ secret, headers, body }) =>
      verifyKey(body, headers['x-signature-ed25519'], headers['x-signature-timestamp'], secret),
  }),
}

const POLAR = {
  package: '@polar-sh/sdk',
  entry: '2026-10',
  make: ({ webhooks }) => ({
    async verify({ secret, headers, text }) {
      try {
        await webhooks.validateEvent(text, headers, secret)
        return true
      } catch (error) {
        // Behind the signature it looks at the event.
        return error.name !== 'PolarWebhookVerificationError'
      }
    },
  }),
}

/** Sample code whose framework has parsed the body before. */
const WRITTEN_AGAIN = [
  [
    /byte order mark|CR LF$|not JSON|space behind|^empty$|no body/,
    'its sample code parses the body and signs it again',
  ],
]

/** Which of its two forms a request has, its SDK tells by the headers. */
const CREEM = {
  package: 'creem',
  entry: 'webhooks',
  make: ({ verifyWebhookSignature }) => ({
    async verify({ secret, headers, text }) {
      await verifyWebhookSignature(text, headers, secret)
      return true
    },
  }),
}

/**
 * The services' own SDKs; the versions that were last compared are in `sdks/package.json`. `sign` and `verify` take the body as text, or as bytes where the SDK does;
 * `sign` gives the header of the signature, or all headers.
 * `explained` says where one decides differently, and why we do not follow it.
 */
export const SDKS = {
  'standard-webhooks': {
    package: 'standardwebhooks',
    make: ({ Webhook }) => webhookClass(Webhook, 'webhook'),
  },
  svix: {
    package: 'svix',
    make: ({ Webhook }) => webhookClass(Webhook, 'svix'),
  },
  openai: {
    package: 'openai',
    explained: [[/no version|prefix_missing/, 'its SDK takes a signature without `v1,`']],
    make({ OpenAI }) {
      const { webhooks } = new OpenAI({ apiKey: 'none' })
      return {
        async verify({ secret, headers, text }) {
          await webhooks.verifySignature(text, headers, secret)
          return true
        },
      }
    },
  },
  anthropic: {
    package: '@anthropic-ai/sdk',
    make({ Anthropic }) {
      const { webhooks } = new Anthropic({ apiKey: 'none' }).beta
      return {
        verify: ({ secret: key, headers, text }) =>
          isParsed(() => webhooks.unwrap(text, { headers, key })),
      }
    },
  },
  resend: {
    package: 'resend',
    make({ Resend }) {
      const { webhooks } = new Resend('re_none')
      return {
        verify({ secret: webhookSecret, headers, text: payload }) {
          // Which headers it looks at is up to the application.
          const [id, timestamp, signature] = ['id', 'timestamp', 'signature'].map(
            (part) => headers[`svix-${part}`] ?? headers[`webhook-${part}`],
          )
          const given = { payload, headers: { id, timestamp, signature }, webhookSecret }
          return isParsed(() => webhooks.verify(given))
        },
      }
    },
  },
  clerk: {
    package: '@clerk/backend',
    entry: 'webhooks',
    explained: [
      [/other names/, 'its SDK takes one of the two sets that Svix can send'],
      [/byte order mark/, 'its SDK reads the body as text, which has none'],
    ],
    make: ({ verifyWebhook }) => ({
      async verify({ secret: signingSecret, headers, text: body }) {
        const request = new Request('https://example.com', { method: 'POST', headers, body })
        try {
          await verifyWebhook(request, { signingSecret })
          return true
        } catch ({ message }) {
          // Behind the signature it parses the body, and not all are JSON.
          return /JSON|Unexpected|Cannot read properties/.test(message)
        }
      },
    }),
  },
  replicate: {
    package: 'replicate',
    make: ({ validateWebhook }) => ({
      verify: ({ secret, headers, text: body }) =>
        validateWebhook({
          id: headers['webhook-id'],
          timestamp: headers['webhook-timestamp'],
          signature: headers['webhook-signature'],
          body,
          secret,
        }),
    }),
  },
  // GitLab has no SDK that verifies, and tests its own signatures with this one.
  gitlab: {
    package: 'standardwebhooks',
    make: ({ Webhook }) => webhookClass(Webhook, 'webhook'),
  },
  // It receives only, and looks at the event behind the signature.
  'mcp-events': {
    package: '@ai-sdk/mcp',
    bytes: true,
    explained: [[/byte order mark/, 'its SDK reads the body as text, which has none']],
    make: ({ experimental_createMCPEventWebhook: createWebhook }) => ({
      async verify({ secret, headers, body }) {
        const subscription = { key: 'key', id: 'sub_01', delivery: { secret }, status: 'active' }
        const webhook = createWebhook({ store: { get: async () => subscription }, onEvent() {} })
        const url = 'https://example.com/?mcp_event_subscription=key'
        const sent = { 'content-type': 'application/json', ...headers }
        const { status } = await webhook(new Request(url, { method: 'POST', headers: sent, body }))
        return status !== 401
      },
    }),
  },
  supabase: {
    package: 'standardwebhooks',
    make: ({ Webhook }) => webhookClass(Webhook, 'webhook'),
  },
  polar: POLAR,
  'polar-legacy': POLAR,
  notion: {
    package: '@notionhq/client',
    bytes: true,
    make: ({ signWebhookPayload, verifyWebhookSignature }) => ({
      sign: ({ secret, text }) => signWebhookPayload({ body: text, verificationToken: secret }),
      verify: ({ secret, signature, body }) =>
        verifyWebhookSignature({
          body,
          signature,
          verificationToken: secret,
        }),
    }),
  },
  hubspot: {
    package: '@hubspot/api-client',
    explained: [[/^escapes/, 'its SDK takes the URL as it is']],
    make({ Signature }) {
      const options = ({ secret, headers, text, url, time }) => ({
        signatureVersion: 'v3',
        method: 'POST',
        clientSecret: secret,
        requestBody: text,
        url,
        timestamp: headers?.['x-hubspot-request-timestamp'] ?? `${time}000`,
        signature: headers?.['x-hubspot-signature-v3'],
      })
      return {
        sign: (one) => ({
          'x-hubspot-request-timestamp': `${one.time}000`,
          'x-hubspot-signature-v3': Signature.getSignature('POST', 'v3', options(one)),
        }),
        verify: (one) => Signature.isValid(options(one)),
      }
    },
  },
  elevenlabs: {
    package: '@elevenlabs/elevenlabs-js',
    make({ ElevenLabsClient }) {
      const { webhooks } = new ElevenLabsClient({ apiKey: 'none' })
      return {
        verify: ({ secret, signature, text }) =>
          isParsedLater(webhooks.constructEvent(text, signature, secret)),
      }
    },
  },
  // Atlassian has no SDK that verifies: what it has published is in published.json.
  jira: { source: 'https://developer.atlassian.com/cloud/jira/platform/webhooks/' },
  bitbucket: { source: 'https://support.atlassian.com/bitbucket-cloud/docs/manage-webhooks/' },
  razorpay: {
    package: 'razorpay',
    make: ({ default: Razorpay }) => ({
      verify: ({ secret, signature, text }) =>
        Razorpay.validateWebhookSignature(text, signature, secret),
    }),
  },
  mux: {
    package: '@mux/mux-node',
    make({ Mux }) {
      const { webhooks } = new Mux({ tokenId: 'none', tokenSecret: 'none' })
      return {
        async verify({ secret, headers, text }) {
          await webhooks.verifySignature(text, headers, secret)
          return true
        },
      }
    },
  },
  telnyx: {
    package: 'telnyx',
    make({ Telnyx }) {
      const { webhooks } = new Telnyx({ apiKey: 'none' })
      return {
        verify: ({ secret: key, headers, text }) =>
          isParsedLater(webhooks.unwrap(text, { headers, key })),
      }
    },
  },
  pusher: {
    package: 'pusher',
    explained: [[/byte order mark|not JSON/, 'its SDK parses the body before it verifies']],
    make: ({ default: Pusher }) => ({
      verify({ secret, headers, text: rawBody }) {
        const app = new Pusher({ appId: '1', key: 'app', secret, cluster: 'eu' })
        const given = { 'x-pusher-key': 'app', 'content-type': 'application/json', ...headers }
        return app.webhook({ headers: given, rawBody }).isValid()
      },
    }),
  },
  stream: {
    package: 'stream-chat',
    bytes: true,
    make: ({ verifySignature }) => ({
      verify: ({ secret, signature, body }) =>
        verifySignature(Buffer.from(body), signature, secret),
    }),
  },
  retell: {
    package: 'retell-sdk',
    make({ Retell }) {
      return {
        sign: ({ secret, text }) => Retell.sign(text, secret),
        verify: ({ secret, signature, text }) => Retell.verify(text, secret, signature),
      }
    },
  },
  workos: {
    explained: [[/signature_field/, 'its SDK takes the signature from any field']],
    package: '@workos-inc/node',
    make({ WorkOS }) {
      const { webhooks } = new WorkOS('sk_none')
      return {
        sign: async ({ secret, text, time }) => {
          const made = await webhooks.computeSignature(`${time}000`, text, secret)
          return `t=${time}000, v1=${made}`
        },
        verify: ({ secret, signature: sigHeader, text: payload }) =>
          webhooks.verifyHeader({ payload, sigHeader, secret }),
      }
    },
  },
  // Twitch has no SDK that verifies; this one is written by others.
  twitch: {
    package: '@twurple/eventsub-http',
    entry: 'lib/EventSubHttpBase.js',
    make: ({ EventSubHttpBase }) => ({
      verify({ secret, headers, text }) {
        const [id, time, signature] = ['id', 'timestamp', 'signature'].map(
          (part) => headers[`twitch-eventsub-message-${part}`],
        )
        const judge = Object.create(EventSubHttpBase.prototype, { _secret: { value: secret } })
        return judge._verifyData(id, time, text, signature)
      },
    }),
  },
  box: {
    package: 'box-node-sdk',
    entry: 'lib/managers/webhooks.js',
    make: ({ WebhooksManager }) => ({
      verify: ({ secret, headers, text }) =>
        WebhooksManager.validateMessage(
          text,
          { 'box-signature-version': '1', 'box-signature-algorithm': 'HmacSHA256', ...headers },
          secret,
        ),
    }),
  },
  stripe: {
    package: 'stripe',
    make: ({ default: Stripe }) => {
      const { webhooks } = new Stripe('sk_test_none')
      return {
        sign: ({ secret, text, time }) =>
          webhooks.generateTestHeaderString({
            payload: text,
            secret,
            timestamp: time,
          }),
        verify({ secret, signature, text }) {
          try {
            return webhooks.signature.verifyHeader(text, signature, secret, 300)
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
    make: ({ sign, verify }) => ({
      sign: ({ secret, text }) => sign(secret, text),
      verify: ({ secret, signature, text }) => verify(secret, text, signature),
    }),
  },
  slack: {
    package: '@slack/bolt',
    entry: 'dist/receivers/verify-request.js',
    make: ({ isValidSlackRequest }) => ({
      verify: ({ secret, headers, text }) =>
        isValidSlackRequest({ signingSecret: secret, body: text, headers }),
    }),
  },
  twilio: {
    package: 'twilio',
    entry: 'lib/webhooks/webhooks.js',
    make: ({ getExpectedTwilioSignature, validateRequest, validateRequestWithBody }) => ({
      sign: ({ secret, text, url }) =>
        getExpectedTwilioSignature(secret, url, isHashed(url) ? null : form(text)),
      verify({ secret, signature, text, url }) {
        return isHashed(url)
          ? validateRequestWithBody(secret, signature, url, text)
          : validateRequest(secret, signature, url, form(text))
      },
    }),
  },
  paddle: {
    package: '@paddle/paddle-node-sdk',
    make: ({ Paddle }) => {
      const { webhooks } = new Paddle('key')
      return {
        verify: ({ secret, signature, text }) => webhooks.isSignatureValid(text, secret, signature),
      }
    },
  },
  square: {
    package: 'square',
    make: ({ WebhooksHelper }) => ({
      verify: ({ secret, signature, text, url }) =>
        WebhooksHelper.verifySignature({
          requestBody: text,
          signatureHeader: signature,
          signatureKey: secret,
          notificationUrl: url,
        }),
    }),
  },
  linear: {
    package: '@linear/sdk',
    entry: 'webhooks',
    bytes: true,
    make: ({ LinearWebhookClient }) => ({
      verify({ secret, signature, body }) {
        try {
          return new LinearWebhookClient(secret).verify(Buffer.from(body), signature)
        } catch (error) {
          // It looks at the body's timestamp behind the signature, which hostile bodies do not have.
          return error.message !== 'Invalid webhook signature'
        }
      },
    }),
  },
  line: {
    package: '@line/bot-sdk',
    bytes: true,
    make: ({ validateSignature }) => ({
      verify: ({ secret, signature, body }) =>
        validateSignature(Buffer.from(body), secret, signature),
    }),
  },
  sendgrid: {
    package: '@sendgrid/eventwebhook',
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
    make: ({ encodeSignatureHeader, isValidSignature }) => ({
      sign: ({ secret, text, time }) => encodeSignatureHeader(text, time * 1000, secret),
      verify: ({ secret, signature, text }) => isValidSignature(text, signature, secret),
    }),
  },
  shopify: {
    package: '@shopify/shopify-api',
    entry: 'dist/cjs/lib/utils/hmac-validator.js',
    make: ({ validateHmacString }) => ({
      verify: ({ secret, signature, text }) =>
        validateHmacString({ apiSecretKey: secret }, text, signature, 'base64'),
    }),
  },
  webflow: {
    package: 'webflow-api',
    make({ WebflowClient }) {
      const { webhooks } = new WebflowClient({ accessToken: 'none' })
      return {
        verify: ({ secret, headers, text: body }) =>
          webhooks.verifySignature({ headers, body, secret }),
      }
    },
  },
  gocardless: {
    package: 'gocardless-nodejs',
    entry: 'webhooks',
    make: ({ parse }) => ({
      verify: ({ secret, signature, text }) => isParsed(() => parse(text, secret, signature)),
    }),
  },
  'coinbase-commerce': {
    package: 'coinbase-commerce-node',
    make: ({ Webhook }) => ({
      sign: ({ secret, text }) => Webhook.computeSignature(text, secret),
      verify: ({ secret, signature, text }) => Webhook.verifySigHeader(text, signature, secret),
    }),
  },
  liveblocks: {
    package: '@liveblocks/node',
    make: ({ WebhookHandler }) => ({
      verify({ secret, headers, text: rawBody }) {
        try {
          return Boolean(new WebhookHandler(secret).verifyRequest({ headers, rawBody }))
        } catch (error) {
          // Behind the signature it parses the body, and looks at the event.
          return error instanceof SyntaxError || /event type/.test(error.message)
        }
      },
    }),
  },
  dodo: {
    package: 'dodopayments',
    make({ DodoPayments }) {
      const { webhooks } = new DodoPayments({ bearerToken: 'none' })
      return {
        verify: ({ secret: key, headers, text }) =>
          isParsed(() => webhooks.unwrap(text, { headers, key })),
      }
    },
  },
  nango: {
    package: '@nangohq/node',
    make: ({ Nango }) => ({
      verify: ({ secret: webhookSigningKey, headers, text }) =>
        new Nango({ secretKey: 'none', webhookSigningKey }).verifyIncomingWebhookRequest(
          text,
          headers,
        ),
    }),
  },
  lovable: {
    package: '@lovable.dev/webhooks-js',
    explained: [
      [/byte order mark/, 'its SDK reads the body as text, which has none'],
      [/a fraction|an empty timestamp/, 'its SDK takes any number for a time'],
    ],
    make: ({ verifyWebhookRequest }) => ({
      async verify({ secret, headers, text: body }) {
        const req = new Request('https://example.com', { method: 'POST', headers, body })
        try {
          await verifyWebhookRequest({ req, secret })
          return true
        } catch (error) {
          // Behind the signature it parses the body, and not all are JSON.
          return error.code === 'invalid_json'
        }
      },
    }),
  },
  creem: CREEM,
  'creem-legacy': CREEM,
  mollie: {
    package: 'mollie-api-typescript',
    explained: [[/no version|prefix_missing/, 'its SDK takes a signature without `sha256=`']],
    make: ({ SignatureValidator }) => ({
      sign: async ({ secret, text }) =>
        `sha256=${await SignatureValidator.createSignature(text, secret)}`,
      verify: ({ secret, signature, text }) => SignatureValidator.validate(text, secret, signature),
    }),
  },
  'adyen-platform': {
    package: '@adyen/api-library',
    make: ({ hmacValidator: HmacValidator }) => ({
      sign: ({ secret, text }) => new HmacValidator().calculateHmac(text, secret),
      verify: ({ secret, signature, text }) =>
        new HmacValidator().validateHMACSignature(secret, signature, text),
    }),
  },
  sentry: {
    sample: {
      repository: 'getsentry/integration-platform-example',
      commit: '10cf516b6bb68f5055e6c0f6ce84c07530a8c267',
      path: 'backend-ts/src/api/middleware/verifySentrySignature.ts',
    },
    explained: WRITTEN_AGAIN,
    make: (run) => ({
      verify({ secret, headers, text }) {
        const verifier = run({}, { process: { env: { SENTRY_CLIENT_SECRET: secret } } }).default
        let passed = false
        const next = () => (passed = true)
        verifier({ headers, body: JSON.parse(text) }, { sendStatus() {} }, next)
        return passed
      },
    }),
  },
  'lemon-squeezy': {
    sample: {
      repository: 'lmsqueezy/nextjs-billing',
      commit: 'bc3bd1101f71aa01092eaefd456c0aed8466328a',
      path: 'src/app/api/webhook/route.ts',
    },
    explained: [[/byte order mark/, 'its sample code reads the body as text, which has none']],
    make: (run) => ({
      async verify({ secret, headers, text: body }) {
        const modules = { '@/app/actions': {}, '@/lib/typeguards': { webhookHasMeta: () => false } }
        const env = { LEMONSQUEEZY_WEBHOOK_SECRET: secret }
        const { POST } = run(modules, { process: { env } })
        try {
          const response = await POST(
            new Request('https://example.com', { method: 'POST', headers, body }),
          )
          return (await response.text()) === 'Data invalid'
        } catch (error) {
          // Behind the signature it parses the body, and not all are JSON.
          return error instanceof SyntaxError
        }
      },
    }),
  },
  paystack: {
    sample: {
      repository: 'PaystackOSS/doc-code-snippets',
      commit: '94af513d752dfc9f85dd0718301e7257091eb7f2',
      path: 'src/doc/payments/webhooks/verifying-transaction/index.js',
    },
    explained: WRITTEN_AGAIN,
    make: (run) => ({
      verify({ secret, headers, text }) {
        let read = 0
        const body = JSON.parse(text)
        const request = {
          headers,
          get body() {
            read++
            return body
          },
        }
        const app = { post: (_path, handler) => handler(request, { send() {} }) }
        run({}, { app, process: { env: { SECRET_KEY: secret } } })
        // It responds with 200 to everything, and reads the event of what is signed.
        return read === 2
      },
    }),
  },
  quickbooks: {
    sample: {
      repository: 'IntuitDeveloper/SampleApp-Webhooks-nodejs',
      commit: '692e9d0a8490f9a1850955fa635fc067c332d985',
      path: 'util/util.js',
    },
    make: (run) => ({
      verify: ({ secret, signature, text }) =>
        run({ '../conf': { webhooksverifier: secret } }).isValidPayload(signature, text),
    }),
  },
  docusign: {
    sample: {
      repository: 'docusign/code-examples-node',
      commit: '8b0ee71cc6ebd73462eae40b88c7115ea419b94a',
      path: 'lib/connect/examples/validateWebhookMessage.js',
    },
    explained: [[/^empty$/, 'its sample code cannot read an empty body']],
    make: (run) => ({
      sign: ({ secret, text: payload }) => run().computeHash({ secret, payload }),
      verify: ({ secret, signature, text: payload }) =>
        run().isHashValid({ verify: signature, secret, payload }),
    }),
  },
  asana: {
    sample: {
      repository: 'Asana/devrel-examples',
      commit: '7f1833450aff98d52d21884d003e68f7dc5bbce4',
      path: 'javascript/webhooks-nodejs/index.js',
    },
    explained: WRITTEN_AGAIN,
    make: (run) => ({
      verify({ secret, headers, text }) {
        let status
        let handler
        const express = Object.assign(
          () => ({ use() {}, listen() {}, post: (_path, given) => (handler = given) }),
          { json() {} },
        )
        const fs = { readFileSync: () => `X_HOOK_SECRET=${secret}` }
        run({ express, dotenv: { config() {} }, 'node:fs': fs }, { __dirname: '/' })
        handler({ headers, body: JSON.parse(text) }, { sendStatus: (sent) => (status = sent) })
        return status === 200
      },
    }),
  },
  dropbox: {
    sample: {
      repository: 'dropbox/mdwebhook',
      commit: '1b32d5aec51019eb698905345a21af46e0d4be8e',
      path: 'app.py',
    },
    bytes: true,
    make: (run) => ({
      verify({ secret, headers, body }) {
        const environment = {
          REDISTOGO_URL: '',
          FLASK_SECRET_KEY: '',
          APP_KEY: '',
          APP_SECRET: secret,
        }
        const sent = { 'X-Dropbox-Signature': headers['x-dropbox-signature'] }
        const input = { headers: sent, body: Buffer.from(body).toString('base64') }
        return run(environment, 'webhook()', input) === 200
      },
    }),
  },
  // PagerDuty's library for Go has a signed request in its tests, which is in published.json.
  pagerduty: { source: 'https://github.com/PagerDuty/go-pagerduty' },
  // Wise has no SDK that verifies: what it has published is in published.json.
  wise: { source: 'https://github.com/transferwise/digital-signatures-examples' },
  'discord-events': DISCORD,
  'discord-interactions': DISCORD,
  meta: {
    package: 'whatsapp',
    // Meta has archived it, and later versions of this name are somebody else's.
    isLast: true,
    entry: 'build/utils.js',
    make({ generateXHub256Sig }) {
      const signed = ({ secret, text }) => `sha256=${generateXHub256Sig(text, secret)}`
      return {
        sign: signed,
        verify: (one) => signed(one) === one.signature,
      }
    },
  },
  zoom: {
    package: '@zoom/rivet',
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
      return isParsed(() => new Webhook(secret).verify(text, headers))
    },
  }
}

/** Whether a body got as far as the parser, which is behind the signature: not all are JSON. */
function isParsed(verify) {
  try {
    verify()
    return true
  } catch (error) {
    return error instanceof SyntaxError
  }
}

/** The same of a promise. */
function isParsedLater(verifying) {
  return verifying.then(
    () => true,
    (error) => error instanceof SyntaxError,
  )
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
