/** What is thrown behind the signature, where the body is parsed: not all are JSON. */
const isSyntax = (error) => error instanceof SyntaxError

const READS_TEXT = [/byte order mark/, 'its SDK reads the body as text, which has none']

const standard = (name, prefix) => ({
  package: name,
  behind: isSyntax,
  make: ({ Webhook }) => ({
    sign: (text, secret, { id, time }) => ({
      [`${prefix}-id`]: id,
      [`${prefix}-timestamp`]: `${time}`,
      [`${prefix}-signature`]: new Webhook(secret).sign(id, new Date(time * 1000), text),
    }),
    verify: (text, _, secret, { headers }) => new Webhook(secret).verify(text, headers),
  }),
})

const STANDARD = standard('standardwebhooks', 'webhook')

/** The service has sample code only. Which, and what it said of each vector, is recorded: a commit does not change its mind. */
const SAMPLE = { isSample: true }

const DISCORD = {
  package: 'discord-interactions',
  bytes: true,
  make:
    ({ verifyKey }) =>
    (_, signature, secret, { headers, body }) =>
      verifyKey(body, signature, headers['x-signature-timestamp'], secret),
}

const POLAR = {
  package: '@polar-sh/sdk',
  entry: '2026-10',
  // It looks at the event.
  behind: ({ name }) => name !== 'PolarWebhookVerificationError',
  make:
    ({ webhooks }) =>
    (text, _, secret, { headers }) =>
      webhooks.validateEvent(text, headers, secret),
}

/** Which of its two forms a request has, its SDK tells by the headers. */
const CREEM = {
  package: 'creem',
  entry: 'webhooks',
  make:
    ({ verifyWebhookSignature }) =>
    (text, _, secret, { headers }) =>
      verifyWebhookSignature(text, headers, secret),
}

/**
 * The services' own SDKs; the versions that were last compared are in `sdks/package.json`. `make` gets what one exports and gives what
 * verifies, by the body as text, the signature, the secret and the rest of the request; or that as `verify` and what signs as `sign`, which
 * gives the header of the signature, or all headers. `bytes` says that it takes bodies that aren't text.
 * Whatever it gives but false is accepted, and so is what it throws if that is `behind` the signature.
 * `explained` says where one decides differently, and why we do not follow it.
 */
export const SDKS = {
  'standard-webhooks': STANDARD,
  svix: standard('svix', 'svix'),
  openai: {
    package: 'openai',
    explained: [[/no version|prefix_missing/, 'its SDK takes a signature without `v1,`']],
    make({ OpenAI }) {
      const { webhooks } = new OpenAI({ apiKey: 'none' })
      return (text, _, secret, { headers }) => webhooks.verifySignature(text, headers, secret)
    },
  },
  anthropic: {
    package: '@anthropic-ai/sdk',
    behind: isSyntax,
    make({ Anthropic }) {
      const { webhooks } = new Anthropic({ apiKey: 'none' }).beta
      return (text, _, key, { headers }) => webhooks.unwrap(text, { headers, key })
    },
  },
  resend: {
    package: 'resend',
    behind: isSyntax,
    make({ Resend }) {
      const { webhooks } = new Resend('re_none')
      return (payload, _, webhookSecret, { headers: sent }) => {
        // Which headers it looks at is up to the application.
        const [id, timestamp, signature] = ['id', 'timestamp', 'signature'].map(
          (part) => sent[`svix-${part}`] ?? sent[`webhook-${part}`],
        )
        return webhooks.verify({ payload, headers: { id, timestamp, signature }, webhookSecret })
      }
    },
  },
  clerk: {
    package: '@clerk/backend',
    entry: 'webhooks',
    behind: ({ message }) => /JSON|Unexpected|Cannot read properties/.test(message),
    explained: [
      [/other names/, 'its SDK takes one of the two sets that Svix can send'],
      READS_TEXT,
    ],
    make:
      ({ verifyWebhook }) =>
      (_, __, signingSecret, one) =>
        verifyWebhook(requestOf(one), { signingSecret }),
  },
  replicate: {
    package: 'replicate',
    make:
      ({ validateWebhook }) =>
      (body, signature, secret, { headers }) => {
        const [id, timestamp] = [headers['webhook-id'], headers['webhook-timestamp']]
        return validateWebhook({ id, timestamp, signature, body, secret })
      },
  },
  // GitLab has no SDK that verifies, and tests its own signatures with this one.
  gitlab: STANDARD,
  // It receives only, and looks at the event behind the signature.
  'mcp-events': {
    package: '@ai-sdk/mcp',
    bytes: true,
    explained: [READS_TEXT],
    make:
      ({ experimental_createMCPEventWebhook: createWebhook }) =>
      async (_, __, secret, one) => {
        const id = one.headers['x-mcp-subscription-id']
        const subscription = { key: 'key', id, delivery: { secret }, status: 'active' }
        const webhook = createWebhook({ store: { get: async () => subscription }, onEvent() {} })
        const headers = { 'content-type': 'application/json', ...one.headers }
        const request = requestOf({ ...one, headers }, '?mcp_event_subscription=key')
        return (await webhook(request)).status !== 401
      },
  },
  supabase: STANDARD,
  polar: POLAR,
  'polar-legacy': POLAR,
  notion: {
    package: '@notionhq/client',
    bytes: true,
    make: ({ signWebhookPayload, verifyWebhookSignature }) => ({
      sign: (body, verificationToken) => signWebhookPayload({ body, verificationToken }),
      verify: (_, signature, verificationToken, { body }) =>
        verifyWebhookSignature({ body, signature, verificationToken }),
    }),
  },
  hubspot: {
    package: '@hubspot/api-client',
    explained: [[/^escapes/, 'its SDK takes the URL as it is']],
    make({ Signature }) {
      const options = (requestBody, clientSecret, url, timestamp, signature) => ({
        ...{ signatureVersion: 'v3', method: 'POST', clientSecret, requestBody, url },
        ...{ timestamp, signature },
      })
      return {
        sign: (text, secret, { url, time }) => ({
          'x-hubspot-request-timestamp': `${time}000`,
          'x-hubspot-signature-v3': Signature.getSignature(
            ...['POST', 'v3', options(text, secret, url, `${time}000`)],
          ),
        }),
        verify: (text, signature, secret, { headers, url }) =>
          Signature.isValid(
            options(text, secret, url, headers['x-hubspot-request-timestamp'], signature),
          ),
      }
    },
  },
  elevenlabs: {
    package: '@elevenlabs/elevenlabs-js',
    behind: isSyntax,
    make({ ElevenLabsClient }) {
      const { webhooks } = new ElevenLabsClient({ apiKey: 'none' })
      return (text, signature, secret) => webhooks.constructEvent(text, signature, secret)
    },
  },
  // Atlassian has no SDK that verifies: what it has published is in published.json.
  jira: { source: 'https://developer.atlassian.com/cloud/jira/platform/webhooks/' },
  bitbucket: { source: 'https://support.atlassian.com/bitbucket-cloud/docs/manage-webhooks/' },
  razorpay: {
    package: 'razorpay',
    make:
      ({ default: Razorpay }) =>
      (text, signature, secret) =>
        Razorpay.validateWebhookSignature(text, signature, secret),
  },
  mux: {
    package: '@mux/mux-node',
    make({ Mux }) {
      const { webhooks } = new Mux({ tokenId: 'none', tokenSecret: 'none' })
      return (text, _, secret, { headers }) => webhooks.verifySignature(text, headers, secret)
    },
  },
  telnyx: {
    package: 'telnyx',
    behind: isSyntax,
    make({ Telnyx }) {
      const { webhooks } = new Telnyx({ apiKey: 'none' })
      return (text, _, key, { headers }) => webhooks.unwrap(text, { headers, key })
    },
  },
  pusher: {
    package: 'pusher',
    explained: [[/byte order mark|not JSON/, 'its SDK parses the body before it verifies']],
    make:
      ({ default: Pusher }) =>
      (rawBody, _, secret, one) => {
        const app = new Pusher({ appId: '1', key: 'app', secret, cluster: 'eu' })
        const more = { 'content-type': 'application/json', 'x-pusher-key': 'app' }
        const headers = { ...one.headers, ...more }
        return app.webhook({ headers, rawBody }).isValid()
      },
  },
  stream: {
    package: 'stream-chat',
    bytes: true,
    make:
      ({ verifySignature }) =>
      (_, signature, secret, { body }) =>
        verifySignature(Buffer.from(body), signature, secret),
  },
  retell: {
    package: 'retell-sdk',
    make: ({ Retell }) => ({
      sign: (text, secret) => Retell.sign(text, secret),
      verify: (text, signature, secret) => Retell.verify(text, secret, signature),
    }),
  },
  workos: {
    package: '@workos-inc/node',
    explained: [[/signature_field/, 'its SDK takes the signature from any field']],
    make({ WorkOS }) {
      const { webhooks } = new WorkOS('sk_none')
      return {
        sign: async (text, secret, { time }) =>
          `t=${time}000, v1=${await webhooks.computeSignature(`${time}000`, text, secret)}`,
        verify: (payload, sigHeader, secret) =>
          webhooks.verifyHeader({ payload, sigHeader, secret }),
      }
    },
  },
  // Twitch has no SDK that verifies; this one is written by others.
  twitch: {
    package: '@twurple/eventsub-http',
    entry: 'lib/EventSubHttpBase.js',
    make:
      ({ EventSubHttpBase }) =>
      (text, signature, secret, { headers }) => {
        const [id, time] = ['id', 'timestamp'].map(
          (part) => headers[`twitch-eventsub-message-${part}`],
        )
        const judge = Object.create(EventSubHttpBase.prototype, { _secret: { value: secret } })
        return judge._verifyData(id, time, text, signature)
      },
  },
  box: {
    package: 'box-node-sdk',
    entry: 'lib/managers/webhooks.js',
    make:
      ({ WebhooksManager }) =>
      (text, _, secret, { headers }) => {
        const versions = { 'box-signature-version': '1', 'box-signature-algorithm': 'HmacSHA256' }
        return WebhooksManager.validateMessage(text, { ...versions, ...headers }, secret)
      },
  },
  stripe: {
    package: 'stripe',
    make({ default: Stripe }) {
      const { webhooks } = new Stripe('sk_test_none')
      return {
        sign: (payload, secret, { time: timestamp }) =>
          webhooks.generateTestHeaderString({ payload, secret, timestamp }),
        verify: (text, signature, secret) =>
          webhooks.signature.verifyHeader(text, signature, secret, 300),
      }
    },
  },
  github: {
    package: '@octokit/webhooks-methods',
    entry: 'dist-node/index.js',
    make: ({ sign, verify }) => ({
      sign: (text, secret) => sign(secret, text),
      verify: (text, signature, secret) => verify(secret, text, signature),
    }),
  },
  slack: {
    package: '@slack/bolt',
    entry: 'dist/receivers/verify-request.js',
    make:
      ({ isValidSlackRequest }) =>
      (body, _, signingSecret, { headers }) =>
        isValidSlackRequest({ signingSecret, body, headers }),
  },
  twilio: {
    package: 'twilio',
    entry: 'lib/webhooks/webhooks.js',
    make: ({ getExpectedTwilioSignature, validateRequest, validateRequestWithBody }) => ({
      sign: (text, secret, { url }) =>
        getExpectedTwilioSignature(secret, url, isHashed(url) ? null : form(text)),
      verify: (text, signature, secret, { url }) =>
        isHashed(url)
          ? validateRequestWithBody(secret, signature, url, text)
          : validateRequest(secret, signature, url, form(text)),
    }),
  },
  paddle: {
    package: '@paddle/paddle-node-sdk',
    make({ Paddle }) {
      const { webhooks } = new Paddle('key')
      return (text, signature, secret) => webhooks.isSignatureValid(text, secret, signature)
    },
  },
  square: {
    package: 'square',
    make:
      ({ WebhooksHelper }) =>
      (requestBody, signatureHeader, signatureKey, { url: notificationUrl }) =>
        WebhooksHelper.verifySignature({
          ...{ requestBody, signatureHeader, signatureKey, notificationUrl },
        }),
  },
  linear: {
    package: '@linear/sdk',
    entry: 'webhooks',
    bytes: true,
    // It looks at the body's timestamp, which hostile bodies do not have.
    behind: (error) => isSyntax(error) || error.message === 'Missing webhook timestamp',
    make:
      ({ LinearWebhookClient }) =>
      (_, signature, secret, { body }) =>
        new LinearWebhookClient(secret).verify(Buffer.from(body), signature),
  },
  line: {
    package: '@line/bot-sdk',
    bytes: true,
    make:
      ({ validateSignature }) =>
      (_, signature, secret, { body }) =>
        validateSignature(Buffer.from(body), secret, signature),
  },
  sendgrid: {
    package: '@sendgrid/eventwebhook',
    make:
      ({ EventWebhook }) =>
      (text, signature, secret, { headers }) => {
        const judge = new EventWebhook()
        const key = judge.convertPublicKeyToECDSA(secret)
        const time = headers['x-twilio-email-event-webhook-timestamp']
        return judge.verifySignature(key, text, signature, time)
      },
  },
  sanity: {
    package: '@sanity/webhook',
    make: ({ encodeSignatureHeader, isValidSignature }) => ({
      sign: (text, secret, { time }) => encodeSignatureHeader(text, time * 1000, secret),
      verify: isValidSignature,
    }),
  },
  shopify: {
    package: '@shopify/shopify-api',
    entry: 'dist/cjs/lib/utils/hmac-validator.js',
    make:
      ({ validateHmacString }) =>
      (text, signature, apiSecretKey) =>
        validateHmacString({ apiSecretKey }, text, signature, 'base64'),
  },
  webflow: {
    package: 'webflow-api',
    make({ WebflowClient }) {
      const { webhooks } = new WebflowClient({ accessToken: 'none' })
      return (body, _, secret, { headers }) => webhooks.verifySignature({ headers, body, secret })
    },
  },
  gocardless: {
    package: 'gocardless-nodejs',
    entry: 'webhooks',
    behind: isSyntax,
    make:
      ({ parse }) =>
      (text, signature, secret) =>
        parse(text, secret, signature),
  },
  'coinbase-commerce': {
    package: 'coinbase-commerce-node',
    make: ({ Webhook }) => ({
      sign: (text, secret) => Webhook.computeSignature(text, secret),
      verify: (text, signature, secret) => Webhook.verifySigHeader(text, signature, secret),
    }),
  },
  liveblocks: {
    package: '@liveblocks/node',
    // It parses the body, and looks at the event.
    behind: (error) => isSyntax(error) || /event type/.test(error.message),
    make:
      ({ WebhookHandler }) =>
      (rawBody, _, secret, { headers }) =>
        new WebhookHandler(secret).verifyRequest({ headers, rawBody }),
  },
  dodo: {
    package: 'dodopayments',
    behind: isSyntax,
    make({ DodoPayments }) {
      const { webhooks } = new DodoPayments({ bearerToken: 'none' })
      return (text, _, key, { headers }) => webhooks.unwrap(text, { headers, key })
    },
  },
  nango: {
    package: '@nangohq/node',
    make:
      ({ Nango }) =>
      (text, _, webhookSigningKey, { headers }) =>
        new Nango({ secretKey: 'none', webhookSigningKey }).verifyIncomingWebhookRequest(
          ...[text, headers],
        ),
  },
  lovable: {
    package: '@lovable.dev/webhooks-js',
    behind: ({ code }) => code === 'invalid_json',
    explained: [
      READS_TEXT,
      [/a fraction|an empty timestamp/, 'its SDK takes any number for a time'],
    ],
    make:
      ({ verifyWebhookRequest }) =>
      (_, __, secret, one) =>
        verifyWebhookRequest({ req: requestOf(one), secret }),
  },
  creem: CREEM,
  'creem-legacy': CREEM,
  mollie: {
    package: 'mollie-api-typescript',
    explained: [[/no version|prefix_missing/, 'its SDK takes a signature without `sha256=`']],
    make: ({ SignatureValidator }) => ({
      sign: async (text, secret) =>
        `sha256=${await SignatureValidator.createSignature(text, secret)}`,
      verify: (text, signature, secret) => SignatureValidator.validate(text, secret, signature),
    }),
  },
  'adyen-platform': {
    package: '@adyen/api-library',
    make({ hmacValidator: HmacValidator }) {
      const validator = new HmacValidator()
      return {
        sign: (text, secret) => validator.calculateHmac(text, secret),
        verify: (text, signature, secret) =>
          validator.validateHMACSignature(secret, signature, text),
      }
    },
  },
  sentry: SAMPLE,
  'lemon-squeezy': SAMPLE,
  paystack: SAMPLE,
  quickbooks: SAMPLE,
  docusign: SAMPLE,
  asana: SAMPLE,
  dropbox: SAMPLE,
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
      const sign = (text, secret) => `sha256=${generateXHub256Sig(text, secret)}`
      return { sign, verify: (text, signature, secret) => sign(text, secret) === signature }
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
      return async (body, _, webhooksSecretToken, { headers }) => {
        const receiver = new AwsLambdaReceiver({ webhooksSecretToken })
        receiver.init({ eventEmitter: { emit: async () => {} } })
        return (await receiver.start()({ body, headers }, {})).statusCode === 200
      }
    },
  },
}

/** What an SDK signs and verifies. */
export function madeBy({ make, behind = () => false }, module) {
  const made = make(module)
  const { sign, verify } = typeof made === 'function' ? { verify: made } : made
  return {
    sign: sign && (({ secret, text, ...one }) => sign(text, secret, one)),
    async verify({ secret, signature, text, ...one }) {
      try {
        return (await verify(text, signature, secret, one)) !== false
      } catch (error) {
        return behind(error)
      }
    },
  }
}

function requestOf({ headers, body }, query = '') {
  return new Request(`https://example.com/${query}`, { method: 'POST', headers, body })
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
