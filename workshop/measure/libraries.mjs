import { SECRET } from './messages.mjs'

/**
 * Alternatives, each with the service that it is for, called as its documentation shows. What only verifies parses as well,
 * as its caller has to. A wrong signature throws, or gives what is false. Some load on newer Nodes only.
 */
export const LIBRARIES = {
  standardwebhooks: {
    service: 'standard-webhooks',
    async load() {
      const { Webhook } = await import('standardwebhooks')
      const webhook = new Webhook(SECRET)
      return (body, headers) => webhook.verify(body.toString(), headers)
    },
  },
  svix: {
    service: 'svix',
    async load() {
      const { Webhook } = await import('svix')
      const webhook = new Webhook(SECRET)
      return parsing((body, headers) => webhook.verify(body.toString(), headers) === undefined)
    },
  },
  stripe: {
    service: 'stripe',
    async load() {
      const { default: Stripe } = await import('stripe')
      const { webhooks } = new Stripe('sk_test_none')
      return (body, headers) => webhooks.constructEvent(body, headers['stripe-signature'], SECRET)
    },
  },
  '@octokit/webhooks-methods': {
    service: 'github',
    async load() {
      const { verify } = await import('@octokit/webhooks-methods')
      return parsing((body, headers) =>
        verify(SECRET, body.toString(), headers['x-hub-signature-256']),
      )
    },
  },
  '@line/bot-sdk': {
    service: 'line',
    async load() {
      const { validateSignature } = await import('@line/bot-sdk')
      return parsing((body, headers) =>
        validateSignature(body, SECRET, headers['x-line-signature']),
      )
    },
  },
  '@slack/bolt': {
    service: 'slack',
    async load() {
      const { default: bolt } = await import('@slack/bolt')
      return parsing((body, { 'x-slack-request-timestamp': time, ...others }) => {
        const headers = { ...others, 'x-slack-request-timestamp': Number(time) }
        return bolt.isValidSlackRequest({ signingSecret: SECRET, body: body.toString(), headers })
      })
    },
  },
  '@sanity/webhook': {
    service: 'sanity',
    async load() {
      const { isValidSignature } = await import('@sanity/webhook')
      return parsing((body, headers) =>
        isValidSignature(body.toString(), headers['sanity-webhook-signature'], SECRET),
      )
    },
  },
  /** It takes a Request, and verifies here as Stripe signs. */
  '@hookflo/tern': {
    service: 'stripe',
    takesRequest: true,
    async load() {
      const { default: tern } = await import('@hookflo/tern')
      const config = { platform: 'stripe', secret: SECRET, toleranceInSeconds: 300 }
      return async (request) => {
        const service = tern.WebhookVerificationService
        const { isValid, payload } = await service.verify(request, config)
        return isValid && payload
      }
    },
  },
}

/** Verifies, and parses what is valid. Only a promise is awaited. */
function parsing(verify) {
  return (body, headers) => {
    const valid = verify(body, headers)
    const parsed = (isValid) => isValid && JSON.parse(body.toString())
    return valid instanceof Promise ? valid.then(parsed) : parsed(valid)
  }
}
