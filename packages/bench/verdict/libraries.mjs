import { createHmac } from 'node:crypto'
import { requestOf } from './ours.mjs'
import { SECRET } from './secret.mjs'

/**
 * Today's libraries, each with its own kind of signature over the same body, called as its documentation
 * has it. `work` says what a call comes to: a verdict, a parsed body, or a parsed body out of a Request.
 * Where text is asked for, the call makes it of the bytes that came.
 */
export const LIBRARIES = [
  { name: 'standardwebhooks', work: 'parsed', load: standardwebhooks },
  { name: 'svix', work: 'verdict', load: svix },
  { name: 'stripe', work: 'parsed', load: stripe },
  { name: '@octokit/webhooks-methods', work: 'verdict', load: octokit },
  { name: '@line/bot-sdk', work: 'verdict', load: line },
  { name: '@slack/bolt', work: 'verdict', load: slack },
  { name: '@hookflo/tern', work: 'request', load: tern },
  { name: '@sanity/webhook', work: 'verdict', load: sanity },
]

async function standardwebhooks() {
  const { Webhook } = await import('standardwebhooks')
  const webhook = new Webhook(SECRET)
  return (body, signed) => {
    const headers = standardHeaders('webhook', signed)
    return { call: () => webhook.verify(body.toString(), headers) }
  }
}

/** It gives nothing back: what it does not throw for is genuine. */
async function svix() {
  const { Webhook } = await import('svix')
  const webhook = new Webhook(SECRET)
  return (body, signed) => {
    const headers = standardHeaders('svix', signed)
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
    const { 'stripe-signature': signature } = stripeHeaders(signed)
    return { call: () => webhooks.constructEvent(body, signature, SECRET) }
  }
}

async function octokit() {
  const { verify } = await import('@octokit/webhooks-methods')
  return (body, signed) => {
    const signature = `sha256=${hmac(SECRET, '', signed, 'hex')}`
    return { call: () => verify(SECRET, body.toString(), signature) }
  }
}

async function line() {
  const { validateSignature } = await import('@line/bot-sdk')
  return (body, signed) => {
    const signature = hmac(SECRET, '', signed, 'base64')
    return { call: () => validateSignature(body, SECRET, signature) }
  }
}

async function slack() {
  const { default: bolt } = await import('@slack/bolt')
  return (body, signed) => {
    const timestamp = now()
    const headers = {
      'x-slack-signature': `v0=${hmac(SECRET, `v0:${timestamp}:`, signed, 'hex')}`,
      'x-slack-request-timestamp': timestamp,
    }
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
    argument: () => requestOf(body, stripeHeaders(signed)),
    call: (request) => tern.WebhookVerificationService.verify(request, config),
    accepted: ({ isValid }) => isValid,
  })
}

async function sanity() {
  const { isValidSignature } = await import('@sanity/webhook')
  return (body, signed) => {
    const time = Date.now()
    const signature = `t=${time},v1=${hmac(SECRET, `${time}.`, signed, 'base64url')}`
    return { call: () => isValidSignature(body.toString(), signature, SECRET) }
  }
}

/** With what else a request of the same kind has. */
function standardHeaders(prefix, signed) {
  const id = 'msg_2b5f9a3de0d2c4f0e9a430b7b4f'
  const timestamp = String(now())
  const key = Buffer.from(SECRET.slice('whsec_'.length), 'base64')
  return {
    host: 'localhost',
    'user-agent': 'bench',
    'content-type': 'application/json',
    'content-length': String(signed.length),
    [`${prefix}-id`]: id,
    [`${prefix}-timestamp`]: timestamp,
    [`${prefix}-signature`]: `v1,${hmac(key, `${id}.${timestamp}.`, signed, 'base64')}`,
  }
}

function stripeHeaders(signed) {
  const timestamp = now()
  return {
    'content-type': 'application/json',
    'stripe-signature': `t=${timestamp},v1=${hmac(SECRET, `${timestamp}.`, signed, 'hex')}`,
  }
}

function now() {
  return Math.floor(Date.now() / 1000)
}

function hmac(key, prefix, body, encoding) {
  return createHmac('sha256', key).update(prefix).update(body).digest(encoding)
}
