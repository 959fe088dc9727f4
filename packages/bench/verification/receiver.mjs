import { SECRET, signedHeaders } from '../signatures.mjs'

/** Core as published, in `dist`; its inner parts, which are not files of their own there, in `.tsc`. */
const core = (file) =>
  import(new URL(file, import.meta.resolve('@webhook-receiver/core/package.json')))

const LIMIT = 2 ** 20
const TOLERANCE = 300

/** @param {'node' | 'web'} backend what `#mac` is in this process */
export function receiverOn(backend) {
  return [
    { name: 'MAC', work: 'mac', load: () => loadMac(backend) },
    { name: 'all checks', work: 'verify', load: loadChecks },
    { name: 'receive()', work: 'parse', load: loadReceive },
    { name: 'receiveRequest()', work: 'request', load: loadReceiveRequest },
  ]
}

async function loadMac(backend) {
  const { mac } = await core(`dist/mac-${backend}.js`)
  const key = await mac.importKey(new TextEncoder().encode(SECRET))
  return (body, signed) => {
    const headers = signedHeaders('own', signed)
    const signature = headers['x-webhook-signature'].slice('sha256='.length)
    return { call: () => mac.verify(key, `${headers['x-webhook-timestamp']}.`, body, signature) }
  }
}

/** All checks of a valid delivery, without parsing it. */
async function loadChecks() {
  const parts = ['contract/scheme', 'verify/body-headers', 'verify/signature', 'verify/age']
  const [{ contract }, { checkBodyHeaders }, { findKey }, { checkAge }] = await Promise.all(
    parts.map((name) => core(`.tsc/${name}.js`)),
  )
  const keys = [{ name: 'secret', key: await contract.importKey(SECRET, 'SECRET') }]
  const check = (incoming, body) => {
    const head = contract.readHead(incoming)
    checkBodyHeaders(incoming, LIMIT)
    const key = findKey(contract, keys, head, body)
    checkAge(contract.readTime(head), Date.now(), TOLERANCE)
    return key
  }
  return (body, signed) => {
    const incoming = incomingOf(body, signedHeaders('own', signed))
    return { call: () => check(incoming, body) }
  }
}

async function loadReceive() {
  const receiver = await createReceiver()
  return (body, signed) => {
    const incoming = incomingOf(body, signedHeaders('own', signed))
    return { call: () => receiver.receive(incoming) }
  }
}

async function loadReceiveRequest() {
  const receiver = await createReceiver()
  return (body, signed) => ({
    argument: () => requestOf(body, signedHeaders('own', signed)),
    call: (request) => receiver.receiveRequest(request),
  })
}

async function createReceiver() {
  const { createReceiver } = await core('dist/index.js')
  return createReceiver(SECRET, { onRejected: false, limit: LIMIT })
}

/** What an adapter gives to `receive()`. */
export function incomingOf(body, headers, context) {
  return { method: 'POST', header: (name) => headers[name], readBody: () => body, context }
}

/** Made before its time is taken. */
export function requestOf(body, headers) {
  return new Request('http://localhost/webhooks', { method: 'POST', headers, body })
}
