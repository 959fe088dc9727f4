// Prints, as JSON, what the pages of the services say and the command line does not: the files, a sample as it is sent, and the line of
// the log for each mistake, which is made here. Reads the built packages.
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ROOT } from '../sources.mjs'

const load = (path) => import(pathToFileURL(join(ROOT, 'packages', path)))
const { createReceiver } = await load('core/dist/index.js')
const { otherSecret, signDelivery } = await load('core/dist/testing.js')
const { webhookHandler } = await load('express/dist/index.js')
const { awsSns } = await load('schemes/dist/aws-sns.js')
const { serviceFile, withSamples } = await load('schemes/dist/services.js')
const express = createRequire(join(ROOT, 'packages/express/package.json'))('express')

// As in production: one line.
process.env.NODE_ENV = 'production'
const printed = []
console.error = console.warn = (text) => printed.push(text)

const ORIGIN = 'https://example.com'
const ID = '00000000-0000-4000-8000-000000000000'
const TOPIC = 'arn:aws:sns:eu-west-1:123456789012:orders'
const UNSIGNED_SNS = {
  Signature: 'AAAA',
  SigningCertURL: `https://sns.eu-west-1.amazonaws.com/SimpleNotificationService-${'0'.repeat(32)}.pem`,
}

const values = Object.values(await load('schemes/dist/index.js'))
const schemes = [...values.filter((value) => value?.readHead), awsSns({ confirm: true })]
const services = []
for (const scheme of schemes) {
  const file = serviceFile(scheme.name)
  if (file) services.push(await factsOf(scheme, file))
}
// A receiver that has held a line back waits for a minute to say so. Not before all is written: a pipe takes 64 KiB at a time.
process.stdout.write(JSON.stringify(services), () => process.exit())

async function factsOf(scheme, { mistakes, ...file }) {
  const { name, value, unsigned, signsUrl, decision, hasId, hasEvent, secret, largest } = scheme
  const [event] = Object.keys(file.samples)
  const made = { scheme: withSamples(scheme), file, event, recorded: recordedFor(name) }
  const lines = []
  for (const { mistake, fix, try: attempt } of [unset(file), ...mistakes]) {
    printed.length = 0
    lines.push({ mistake, fix, line: await lineOf(made, attempt) })
  }
  return {
    ...{ name, file, event, hasId, hasEvent, unsigned, largest, mistakes: lines },
    secret,
    signsUrl: Boolean(signsUrl),
    isDecision: Boolean(decision),
    hasGetCheck: value?.getCheck !== undefined,
    title: scheme.title ?? file.title,
    sample: sampleOf(made),
  }
}

/** A secret that fits, with a request that was signed by it. */
function recordedFor(name) {
  if (name === 'aws-sns') return { secret: TOPIC, headers: {} }
  const folder = join(ROOT, 'packages/conformance/schemes')
  if (!readdirSync(folder).includes(`${name}.json`)) throw new Error(`${name} has no vectors.`)
  const { vectors } = JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8'))
  return vectors.find(({ name: each, valid }) => valid && each.startsWith('plain'))
}

/** The body, indented if it is JSON, and a field in each line if it is a form. */
function sampleOf({ scheme, event }) {
  const data = scheme.sample(event)
  const parts = { id: ID, event, time: 1_795_392_000_000, url: ORIGIN }
  const text = new TextDecoder().decode(scheme.compose?.(data, parts) ?? bytes(data))
  return /^[[{]/.test(text)
    ? JSON.stringify(JSON.parse(text), null, 2)
    : text.replaceAll('&', '\n&')
}

function bytes(data) {
  return new TextEncoder().encode(JSON.stringify(data))
}

/** The mistake that can be made with every service. */
function unset({ variable }) {
  return {
    mistake: `\`${variable}\` is not set where the server runs`,
    try: { start: undefined },
  }
}

/** What a mistake prints. */
async function lineOf(made, attempt) {
  const { scheme, recorded } = made
  const url = `${ORIGIN}/webhooks/${scheme.name}`
  const options = { scheme, ...(scheme.signsUrl && { publicUrl: attempt.publicUrl ?? url }) }
  if ('start' in attempt) return lineAtStart(attempt.start, options)
  const isOtherTopic = scheme.name === 'aws-sns' && attempt.signed === 'other'
  const secret = isOtherTopic ? TOPIC.replace('orders', 'invoices') : recorded.secret
  const { body, headers } = await signed(made, attempt, url)
  for (const name of attempt.signed === false ? signatureHeaders(scheme) : []) delete headers[name]
  Object.assign(headers, attempt.headers)
  const app = express().use(webhookHandler(secret, () => undefined, options))
  const server = app.listen(0, '127.0.0.1')
  await once(server, 'listening')
  printed.length = 0
  const receiver = `http://127.0.0.1:${server.address().port}`
  await (attempt.method === 'GET'
    ? fetch(`${receiver}/${checkOf(scheme)}`, { headers })
    : fetch(receiver, { method: 'POST', headers, body }))
  server.close()
  return theLine(`${scheme.name}: ${JSON.stringify(attempt)}`)
}

function lineAtStart(secret, options) {
  try {
    createReceiver(secret, options)
  } catch (error) {
    return `TypeError: ${error.message}`
  }
  return theLine(`${options.scheme.name} with ${secret}`)
}

async function signed({ scheme, file, event, recorded }, { signed: by, age = 0 }, url) {
  const sample = scheme.sample(event)
  if (scheme.name === 'aws-sns')
    return {
      headers: { 'x-amz-sns-message-type': event },
      body: bytes({ ...sample, ...UNSIGNED_SNS }),
    }
  const parts = { id: ID, event, time: Date.now(), url }
  if (!scheme.sign) {
    const headers = { 'content-type': 'application/json', ...file.headers, ...recorded.headers }
    return { headers, body: scheme.compose(sample, parts) }
  }
  const secret = by === 'other' ? otherSecret(recorded.secret) : recorded.secret
  const now = () => parts.time - age * 1000
  const { headers, body } = await signDelivery(secret, event, { scheme, id: ID, event, url, now })
  return { headers: { ...headers }, body }
}

function signatureHeaders({ value }) {
  return value ? [value.signature.header].flat() : []
}

function checkOf({ value }) {
  const { when, token, echo } = value?.getCheck ?? {}
  return when ? `?${new URLSearchParams({ ...when, [token]: 'chosen', [echo]: '1' })}` : ''
}

function theLine(what) {
  if (printed.length !== 1) throw new Error(`${what} prints ${printed.length} lines.`)
  return printed[0]
}
