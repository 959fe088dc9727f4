/** What is thrown behind the signature, where the body is parsed: not all are JSON. */
const isSyntax = (error) => error instanceof SyntaxError

const READS_TEXT = [/byte order mark/, 'its SDK reads the body as text, which has none']

const standard = (name, prefix) => ({
  package: name,
  behind: isSyntax,
  sign: ({ Webhook }, { text, secret, id, time }) => ({
    [`${prefix}-id`]: id,
    [`${prefix}-timestamp`]: `${time}`,
    [`${prefix}-signature`]: new Webhook(secret).sign(id, new Date(time * 1000), text),
  }),
  verify: ({ Webhook }, { text, secret, headers }) => new Webhook(secret).verify(text, headers),
})

const STANDARD = standard('standardwebhooks', 'webhook')

/** The service has sample code only. Which, and what it said of each vector, is recorded: a commit does not change its mind. */
const SAMPLE = { isSample: true }

const DISCORD = {
  package: 'discord-interactions',
  bytes: true,
  verify: ({ verifyKey }, { body, signature, secret, headers }) =>
    verifyKey(body, signature, headers['x-signature-timestamp'], secret),
}

const POLAR = {
  package: '@polar-sh/sdk',
  entry: '2026-10',
  // It looks at the event.
  behind: ({ name }) => name !== 'PolarWebhookVerificationError',
  verify: ({ webhooks }, { text, secret, headers }) =>
    webhooks.validateEvent(text, headers, secret),
}

/** Which of its two forms a request has, its SDK tells by the headers. */
const CREEM = {
  package: 'creem',
  entry: 'webhooks',
  verify: ({ verifyWebhookSignature }, { text, secret, headers }) =>
    verifyWebhookSignature(text, headers, secret),
}

const signedByHubspot = ({ text, secret, url, signature }, timestamp) => ({
  ...{ signatureVersion: 'v3', method: 'POST', clientSecret: secret, requestBody: text, url },
  ...{ timestamp, signature },
})

/**
 * The services' own SDKs; the versions that were last compared are in `sdks/package.json`. `verify` and, where an SDK signs, `sign` get what
 * it exports and a request, with its body as text too. `sign` gives the header of the signature, or all headers. `bytes` says that it takes bodies that aren't text.
 * Whatever `verify` gives but false is accepted, and so is what it throws if that is `behind` the signature.
 * `explained` says where one decides differently, and why we do not follow it.
 */
export const SDKS = {
  'standard-webhooks': STANDARD,
  svix: standard('svix', 'svix'),
  openai: {
    package: 'openai',
    explained: [[/no version|prefix_missing/, 'its SDK takes a signature without `v1,`']],
    verify: ({ OpenAI }, { text, secret, headers }) =>
      new OpenAI({ apiKey: 'none' }).webhooks.verifySignature(text, headers, secret),
  },
  anthropic: {
    package: '@anthropic-ai/sdk',
    behind: isSyntax,
    verify: ({ Anthropic }, { text, secret: key, headers }) =>
      new Anthropic({ apiKey: 'none' }).beta.webhooks.unwrap(text, { headers, key }),
  },
  resend: {
    package: 'resend',
    behind: isSyntax,
    verify({ Resend }, { text: payload, secret: webhookSecret, headers: sent }) {
      // Which headers it looks at is up to the application.
      const [id, timestamp, signature] = ['id', 'timestamp', 'signature'].map(
        (part) => sent[`svix-${part}`] ?? sent[`webhook-${part}`],
      )
      const headers = { id, timestamp, signature }
      return new Resend('re_none').webhooks.verify({ payload, headers, webhookSecret })
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
    verify: ({ verifyWebhook }, { secret: signingSecret, ...one }) =>
      verifyWebhook(requestOf(one), { signingSecret }),
  },
  replicate: {
    package: 'replicate',
    verify: ({ validateWebhook }, { text: body, signature, secret, headers }) =>
      validateWebhook({
        ...{ id: headers['webhook-id'], timestamp: headers['webhook-timestamp'] },
        ...{ signature, body, secret },
      }),
  },
  // GitLab has no SDK that verifies, and tests its own signatures with this one.
  gitlab: STANDARD,
  // It receives only, and looks at the event behind the signature.
  'mcp-events': {
    package: '@ai-sdk/mcp',
    bytes: true,
    explained: [READS_TEXT],
    async verify({ experimental_createMCPEventWebhook: createWebhook }, { secret, ...one }) {
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
    sign: ({ signWebhookPayload }, { text: body, secret: verificationToken }) =>
      signWebhookPayload({ body, verificationToken }),
    verify: ({ verifyWebhookSignature }, { body, signature, secret: verificationToken }) =>
      verifyWebhookSignature({ body, signature, verificationToken }),
  },
  hubspot: {
    package: '@hubspot/api-client',
    explained: [[/^escapes/, 'its SDK takes the URL as it is']],
    sign({ Signature }, one) {
      const time = `${one.time}000`
      const signature = Signature.getSignature('POST', 'v3', signedByHubspot(one, time))
      return { 'x-hubspot-request-timestamp': time, 'x-hubspot-signature-v3': signature }
    },
    verify: ({ Signature }, one) =>
      Signature.isValid(signedByHubspot(one, one.headers['x-hubspot-request-timestamp'])),
  },
  elevenlabs: {
    package: '@elevenlabs/elevenlabs-js',
    behind: isSyntax,
    verify: ({ ElevenLabsClient }, { text, signature, secret }) =>
      new ElevenLabsClient({ apiKey: 'none' }).webhooks.constructEvent(text, signature, secret),
  },
  // Atlassian has no SDK that verifies: what it has published is in published.json.
  jira: { source: 'https://developer.atlassian.com/cloud/jira/platform/webhooks/' },
  bitbucket: { source: 'https://support.atlassian.com/bitbucket-cloud/docs/manage-webhooks/' },
  razorpay: {
    package: 'razorpay',
    verify: ({ default: Razorpay }, { text, signature, secret }) =>
      Razorpay.validateWebhookSignature(text, signature, secret),
  },
  mux: {
    package: '@mux/mux-node',
    verify: ({ Mux }, { text, secret, headers }) =>
      new Mux({ tokenId: '-', tokenSecret: '-' }).webhooks.verifySignature(text, headers, secret),
  },
  telnyx: {
    package: 'telnyx',
    behind: isSyntax,
    verify: ({ Telnyx }, { text, secret: key, headers }) =>
      new Telnyx({ apiKey: 'none' }).webhooks.unwrap(text, { headers, key }),
  },
  pusher: {
    package: 'pusher',
    explained: [[/byte order mark|not JSON/, 'its SDK parses the body before it verifies']],
    verify({ default: Pusher }, { text: rawBody, secret, headers }) {
      const app = new Pusher({ appId: '1', key: 'app', secret, cluster: 'eu' })
      const more = { 'content-type': 'application/json', 'x-pusher-key': 'app' }
      return app.webhook({ headers: { ...headers, ...more }, rawBody }).isValid()
    },
  },
  stream: {
    package: 'stream-chat',
    bytes: true,
    verify: ({ verifySignature }, { body, signature, secret }) =>
      verifySignature(Buffer.from(body), signature, secret),
  },
  retell: {
    package: 'retell-sdk',
    sign: ({ Retell }, { text, secret }) => Retell.sign(text, secret),
    verify: ({ Retell }, { text, signature, secret }) => Retell.verify(text, secret, signature),
  },
  workos: {
    package: '@workos-inc/node',
    explained: [[/signature_field/, 'its SDK takes the signature from any field']],
    async sign({ WorkOS }, { text, secret, time }) {
      const { webhooks } = new WorkOS('sk_none')
      return `t=${time}000, v1=${await webhooks.computeSignature(`${time}000`, text, secret)}`
    },
    verify: ({ WorkOS }, { text: payload, signature: sigHeader, secret }) =>
      new WorkOS('sk_none').webhooks.verifyHeader({ payload, sigHeader, secret }),
  },
  // Twitch has no SDK that verifies; this one is written by others.
  twitch: {
    package: '@twurple/eventsub-http',
    entry: 'lib/EventSubHttpBase.js',
    verify({ EventSubHttpBase }, { text, signature, secret, headers }) {
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
    verify({ WebhooksManager }, { text, secret, headers }) {
      const versions = { 'box-signature-version': '1', 'box-signature-algorithm': 'HmacSHA256' }
      return WebhooksManager.validateMessage(text, { ...versions, ...headers }, secret)
    },
  },
  stripe: {
    package: 'stripe',
    sign: ({ default: Stripe }, { text: payload, secret, time: timestamp }) =>
      new Stripe('sk_none').webhooks.generateTestHeaderString({ payload, secret, timestamp }),
    verify: ({ default: Stripe }, { text, signature, secret }) =>
      new Stripe('sk_none').webhooks.signature.verifyHeader(text, signature, secret, 300),
  },
  github: {
    package: '@octokit/webhooks-methods',
    entry: 'dist-node/index.js',
    sign: ({ sign }, { text, secret }) => sign(secret, text),
    verify: ({ verify }, { text, signature, secret }) => verify(secret, text, signature),
  },
  slack: {
    package: '@slack/bolt',
    entry: 'dist/receivers/verify-request.js',
    verify: ({ isValidSlackRequest }, { text: body, secret: signingSecret, headers }) =>
      isValidSlackRequest({ signingSecret, body, headers }),
  },
  twilio: {
    package: 'twilio',
    entry: 'lib/webhooks/webhooks.js',
    sign: ({ getExpectedTwilioSignature }, { text, secret, url }) =>
      getExpectedTwilioSignature(secret, url, isHashed(url) ? null : form(text)),
    verify: ({ validateRequest, validateRequestWithBody }, { text, signature, secret, url }) =>
      isHashed(url)
        ? validateRequestWithBody(secret, signature, url, text)
        : validateRequest(secret, signature, url, form(text)),
  },
  paddle: {
    package: '@paddle/paddle-node-sdk',
    verify: ({ Paddle }, { text, signature, secret }) =>
      new Paddle('key').webhooks.isSignatureValid(text, secret, signature),
  },
  square: {
    package: 'square',
    verify: ({ WebhooksHelper }, { text, signature, secret, url }) =>
      WebhooksHelper.verifySignature({
        ...{ requestBody: text, signatureHeader: signature },
        ...{ signatureKey: secret, notificationUrl: url },
      }),
  },
  linear: {
    package: '@linear/sdk',
    entry: 'webhooks',
    bytes: true,
    // It looks at the body's timestamp, which hostile bodies do not have.
    behind: (error) => isSyntax(error) || error.message === 'Missing webhook timestamp',
    verify: ({ LinearWebhookClient }, { body, signature, secret }) =>
      new LinearWebhookClient(secret).verify(Buffer.from(body), signature),
  },
  line: {
    package: '@line/bot-sdk',
    bytes: true,
    verify: ({ validateSignature }, { body, signature, secret }) =>
      validateSignature(Buffer.from(body), secret, signature),
  },
  sendgrid: {
    package: '@sendgrid/eventwebhook',
    verify({ EventWebhook }, { text, signature, secret, headers }) {
      const judge = new EventWebhook()
      const key = judge.convertPublicKeyToECDSA(secret)
      const time = headers['x-twilio-email-event-webhook-timestamp']
      return judge.verifySignature(key, text, signature, time)
    },
  },
  sanity: {
    package: '@sanity/webhook',
    sign: ({ encodeSignatureHeader }, { text, secret, time }) =>
      encodeSignatureHeader(text, time * 1000, secret),
    verify: ({ isValidSignature }, { text, signature, secret }) =>
      isValidSignature(text, signature, secret),
  },
  shopify: {
    package: '@shopify/shopify-api',
    entry: 'dist/cjs/lib/utils/hmac-validator.js',
    verify: ({ validateHmacString }, { text, signature, secret: apiSecretKey }) =>
      validateHmacString({ apiSecretKey }, text, signature, 'base64'),
  },
  webflow: {
    package: 'webflow-api',
    verify: ({ WebflowClient }, { text: body, secret, headers }) =>
      new WebflowClient({ accessToken: '-' }).webhooks.verifySignature({ headers, body, secret }),
  },
  gocardless: {
    package: 'gocardless-nodejs',
    entry: 'webhooks',
    behind: isSyntax,
    verify: ({ parse }, { text, signature, secret }) => parse(text, secret, signature),
  },
  'coinbase-commerce': {
    package: 'coinbase-commerce-node',
    sign: ({ Webhook }, { text, secret }) => Webhook.computeSignature(text, secret),
    verify: ({ Webhook }, { text, signature, secret }) =>
      Webhook.verifySigHeader(text, signature, secret),
  },
  liveblocks: {
    package: '@liveblocks/node',
    // It parses the body, and looks at the event.
    behind: (error) => isSyntax(error) || /event type/.test(error.message),
    verify: ({ WebhookHandler }, { text: rawBody, secret, headers }) =>
      new WebhookHandler(secret).verifyRequest({ headers, rawBody }),
  },
  dodo: {
    package: 'dodopayments',
    behind: isSyntax,
    verify: ({ DodoPayments }, { text, secret: key, headers }) =>
      new DodoPayments({ bearerToken: 'none' }).webhooks.unwrap(text, { headers, key }),
  },
  nango: {
    package: '@nangohq/node',
    verify({ Nango }, { text, secret: webhookSigningKey, headers }) {
      const nango = new Nango({ secretKey: 'none', webhookSigningKey })
      return nango.verifyIncomingWebhookRequest(text, headers)
    },
  },
  lovable: {
    package: '@lovable.dev/webhooks-js',
    behind: ({ code }) => code === 'invalid_json',
    explained: [
      READS_TEXT,
      [/a fraction|an empty timestamp/, 'its SDK takes any number for a time'],
    ],
    verify: ({ verifyWebhookRequest }, { secret, ...one }) =>
      verifyWebhookRequest({ req: requestOf(one), secret }),
  },
  creem: CREEM,
  'creem-legacy': CREEM,
  mollie: {
    package: 'mollie-api-typescript',
    explained: [[/no version|prefix_missing/, 'its SDK takes a signature without `sha256=`']],
    sign: async ({ SignatureValidator }, { text, secret }) =>
      `sha256=${await SignatureValidator.createSignature(text, secret)}`,
    verify: ({ SignatureValidator }, { text, signature, secret }) =>
      SignatureValidator.validate(text, secret, signature),
  },
  'adyen-platform': {
    package: '@adyen/api-library',
    sign: ({ hmacValidator: HmacValidator }, { text, secret }) =>
      new HmacValidator().calculateHmac(text, secret),
    verify: ({ hmacValidator: HmacValidator }, { text, signature, secret }) =>
      new HmacValidator().validateHMACSignature(secret, signature, text),
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
    sign: ({ generateXHub256Sig }, { text, secret }) =>
      `sha256=${generateXHub256Sig(text, secret)}`,
    verify: ({ generateXHub256Sig }, { text, signature, secret }) =>
      `sha256=${generateXHub256Sig(text, secret)}` === signature,
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
    async verify({ AwsLambdaReceiver }, { text: body, secret: webhooksSecretToken, headers }) {
      // It logs every request.
      console.debug = () => {}
      const receiver = new AwsLambdaReceiver({ webhooksSecretToken })
      receiver.init({ eventEmitter: { emit: async () => {} } })
      return (await receiver.start()({ body, headers }, {})).statusCode === 200
    },
  },
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
