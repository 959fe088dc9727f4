import { SECRET } from './messages.mjs'

/**
 * Alternatives, each with the service that it is for, called as its documentation shows. What only verifies parses as well,
 * as its caller has to. A wrong signature throws, or gives what is false.
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
}

/** Verifies, and parses what is valid. Only a promise is awaited. */
function parsing(verify) {
  return (body, headers) => {
    const valid = verify(body, headers)
    const parsed = (isValid) => isValid && JSON.parse(body.toString())
    return valid instanceof Promise ? valid.then(parsed) : parsed(valid)
  }
}
