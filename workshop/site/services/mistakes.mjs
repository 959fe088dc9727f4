// What a receiver logs for a mistake, which is made here.
import { once } from 'node:events'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import { ROOT } from '../sources.mjs'
import { load } from './services.mjs'

const { otherSecret, signDelivery } = await load('packages/core/dist/testing.js')
const { sourceFor } = await load('packages/core/dist/internal.js')
const { webhookHandler } = await load('packages/node/dist/index.js')
const { webhookHandler: onExpress } = await load('packages/express/dist/index.js')
const express = createRequire(`${ROOT}packages/express/`)('express')

const printed = []

const ORIGIN = 'https://example.com'
const ID = '00000000-0000-4000-8000-000000000000'
const TOPIC = 'arn:aws:sns:eu-west-1:123456789012:orders'
const UNSIGNED_SNS = {
  Signature: 'AAAA',
  SigningCertURL: `https://sns.eu-west-1.amazonaws.com/SimpleNotificationService-${'0'.repeat(32)}.pem`,
}

/** The line for a mistake of a service's file. */
export async function lineOf(service, attempt) {
  const { name, scheme, path } = service
  const url = ORIGIN + path
  const isAtStart = 'start' in attempt
  const { secret, ...request } = isAtStart
    ? { secret: attempt.start }
    : await requestOf(service, attempt, url)
  const options = { scheme, ...(scheme.signsUrl && { publicUrl: attempt.publicUrl ?? url }) }
  const { error, warn } = console
  const { NODE_ENV } = process.env
  // As in production: one line.
  process.env.NODE_ENV = 'production'
  console.error = console.warn = (text) => printed.push(text)
  printed.length = 0
  try {
    const handler = handlerFor(attempt, [sourceFor(scheme, secret), () => undefined, options])
    if (!isAtStart) await send(request, handler)
  } catch ({ message }) {
    return `TypeError: ${message}`
  } finally {
    Object.assign(console, { error, warn })
    if (NODE_ENV === undefined) delete process.env.NODE_ENV
    else process.env.NODE_ENV = NODE_ENV
  }
  if (printed.length !== 1) {
    const cause = isAtStart ? ' Does `secret.mistaken` of its value have how that begins?' : ''
    throw new Error(
      `services/${name}.json: the mistake ${JSON.stringify(attempt)} should print one line, and prints ${printed.length}.${cause}`,
    )
  }
  return printed[0]
}

/** Behind a body parser of Express, where the mistake is that. */
function handlerFor({ parser }, receiving) {
  if (!parser) return webhookHandler(...receiving)
  return express().use(express[parser](), onExpress(...receiving))
}

async function send({ search = '', ...request }, handler) {
  const server = createServer(handler)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  printed.length = 0
  await fetch(`http://127.0.0.1:${server.address().port}/${search}`, request)
  server.close()
}

/** The first sample as a request, with the secret of the receiver. */
async function requestOf({ scheme, file, event, recorded, hasPair }, attempt, url) {
  const { signed, age = 0 } = attempt
  const sample = scheme.sample(event)
  if (!scheme.value)
    return {
      secret: signed === 'other' ? TOPIC.replace('orders', 'invoices') : TOPIC,
      method: 'POST',
      headers: { 'x-amz-sns-message-type': event, ...attempt.headers },
      body: JSON.stringify({ ...sample, ...UNSIGNED_SNS }),
    }
  // A secret that fits, with a request that was signed by it.
  const vector = recorded.vectors.find(({ name, valid }) => valid && name.startsWith('plain'))
  const { secret } = vector
  const time = Date.now()
  const signing = signed === 'other' ? await otherSecret(secret) : secret
  const now = () => time - age * 1000
  const { headers, body } =
    scheme.sign && !hasPair
      ? await signDelivery(signing, event, { scheme, id: ID, event, url, now })
      : {
          headers: { 'content-type': 'application/json', ...file.headers, ...vector.headers },
          body: scheme.compose(sample, { id: ID, event, time, url }),
        }
  const signatures = signed === false ? [scheme.value.signature.header].flat() : []
  const kept = Object.entries(headers).filter(([header]) => !signatures.includes(header))
  const sent = { ...Object.fromEntries(kept), ...attempt.headers }
  if (attempt.method !== 'GET') return { secret, method: 'POST', headers: sent, body }
  const { when, token, echo } = scheme.value.getCheck ?? {}
  const check = token && new URLSearchParams({ ...when, [token]: 'chosen', [echo]: '1' })
  return { secret, headers: sent, search: check && `?${check}` }
}
