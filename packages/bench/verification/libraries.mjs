import { SECRET, signedHeaders } from '../signatures.mjs'
import { requestOf } from './receiver.mjs'

/**
 * Alternatives, each with its own kind of signature over the same body, called as its documentation shows.
 * `work` says what a call does: it verifies, or it verifies and parses, or it does that to a Request. A
 * library that takes text gets the bytes as text within the measured time.
 */
export const LIBRARIES = [
  { name: 'standardwebhooks', work: 'parse', load: standardwebhooks },
  { name: 'svix', work: 'verify', load: svix },
  { name: 'stripe', work: 'parse', load: stripe },
  { name: '@octokit/webhooks-methods', work: 'verify', load: octokit },
  { name: '@line/bot-sdk', work: 'verify', load: line },
  { name: '@slack/bolt', work: 'verify', load: slack },
  { name: '@hookflo/tern', work: 'request', load: tern },
  { name: '@sanity/webhook', work: 'verify', load: sanity },
]

async function standardwebhooks() {
  const { Webhook } = await import('standardwebhooks')
  const webhook = new Webhook(SECRET)
  return (body, signed) => {
    const headers = signedHeaders('standard', signed)
    return { call: () => webhook.verify(body.toString(), headers) }
  }
}

/** It returns nothing; it throws for a wrong signature. */
async function svix() {
  const { Webhook } = await import('svix')
  const webhook = new Webhook(SECRET)
  return (body, signed) => {
    const headers = signedHeaders('svix', signed)
    return {
      call: () => webhook.verify(body.toString(), headers),
      accepted: (result) => result === undefined,
    }
  }
}

async function stripe() {
  const { default: Stripe } = await import('stripe')
  const { webhooks } = new Stripe('sk_test_none')
  return (body, signed) => {
    const signature = signedHeaders('stripe', signed)['stripe-signature']
    return { call: () => webhooks.constructEvent(body, signature, SECRET) }
  }
}

async function octokit() {
  const { verify } = await import('@octokit/webhooks-methods')
  return (body, signed) => {
    const signature = signedHeaders('github', signed)['x-hub-signature-256']
    return { call: () => verify(SECRET, body.toString(), signature) }
  }
}

async function line() {
  const { validateSignature } = await import('@line/bot-sdk')
  return (body, signed) => {
    const signature = signedHeaders('line', signed)['x-line-signature']
    return { call: () => validateSignature(body, SECRET, signature) }
  }
}

async function slack() {
  const { default: bolt } = await import('@slack/bolt')
  return (body, signed) => {
    const headers = signedHeaders('slack', signed)
    headers['x-slack-request-timestamp'] = Number(headers['x-slack-request-timestamp'])
    return {
      call: () =>
        bolt.isValidSlackRequest({ signingSecret: SECRET, body: body.toString(), headers }),
    }
  }
}

async function tern() {
  const { default: tern } = await import('@hookflo/tern')
  const config = { platform: 'stripe', secret: SECRET, toleranceInSeconds: 300 }
  return (body, signed) => ({
    argument: () => requestOf(body, signedHeaders('stripe', signed)),
    call: (request) => tern.WebhookVerificationService.verify(request, config),
    accepted: ({ isValid }) => isValid,
  })
}

async function sanity() {
  const { isValidSignature } = await import('@sanity/webhook')
  return (body, signed) => {
    const signature = signedHeaders('sanity', signed)['sanity-webhook-signature']
    return { call: () => isValidSignature(body.toString(), signature, SECRET) }
  }
}
