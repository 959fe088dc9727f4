import { SECRET } from './secret.mjs'
import { headersOf } from './textbook.mjs'

/** Core as it is published, in `dist`; its inner parts, which are no files of their own there, in `.tsc`. */
const CORE = new URL('../../core/', import.meta.url)

/** @param {'node' | 'web'} backend what `#mac` is, too */
export function oursOn(backend) {
  return [
    { name: 'ours: MAC', work: 'mac', load: () => loadMac(backend) },
    { name: 'ours: verdict', work: 'verdict', load: loadVerdict },
    { name: 'ours: receive()', work: 'parsed', load: loadReceive },
    { name: 'ours: receiveRequest()', work: 'request', load: loadReceiveRequest },
  ]
}

async function loadMac(backend) {
  const { mac } = await core(`dist/mac-${backend}.js`)
  const key = await mac.importKey(new TextEncoder().encode(SECRET))
  return (body, signed) => {
    const headers = headersOf(signed)
    const signature = headers['x-webhook-signature'].slice('sha256='.length)
    return { call: () => mac.verify(key, `${headers['x-webhook-timestamp']}.`, body, signature) }
  }
}

/** All checks of a genuine delivery, without its parse. */
async function loadVerdict() {
  const [{ checkHeaders }, { matchSignature }, { checkTimestamp }, { createKeyRing }] =
    await Promise.all(
      ['headers', 'signature', 'timestamp', 'secret'].map((name) => core(`.tsc/verify/${name}.js`)),
    )
  const keys = await createKeyRing(SECRET)()
  const judge = (header, body) => {
    const { signature, timestamp } = checkHeaders('POST', header, LIMIT)
    const match = matchSignature(keys, signature, `${timestamp}.`, body)
    checkTimestamp(timestamp, Date.now(), TOLERANCE)
    return match
  }
  return (body, signed) => {
    const headers = headersOf(signed)
    const header = (name) => headers[name]
    return { call: () => judge(header, body) }
  }
}

async function loadReceive() {
  const receiver = await receiverOf()
  return (body, signed) => {
    const headers = headersOf(signed)
    const header = (name) => headers[name]
    const readBody = () => body
    return {
      call: () => receiver.receive({ method: 'POST', header, readBody, context: undefined }),
    }
  }
}

async function loadReceiveRequest() {
  const receiver = await receiverOf()
  return (body, signed) => ({
    argument: () => requestOf(body, headersOf(signed)),
    call: (request) => receiver.receiveRequest(request),
  })
}

/** A Request for a contender that reads one: made before its time is taken. */
export function requestOf(body, headers) {
  return new Request('http://localhost/webhooks', { method: 'POST', headers, body })
}

async function receiverOf() {
  const { createReceiver } = await core('dist/index.js')
  return createReceiver(SECRET, { onRejected: false, limit: LIMIT })
}

const LIMIT = 2 ** 20
const TOLERANCE = 300

function core(file) {
  return import(new URL(file, CORE).href)
}
