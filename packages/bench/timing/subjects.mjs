import crypto from 'node:crypto'
import { createReceiver } from '@webhook-receiver/core'
import { incomingOf } from '../verification/receiver.mjs'

/** The control that shows how large a leak is. */
export const LEAK = 'control: verify with a leak, MAC known'

/**
 * What is timed. `prepare` makes the argument of a class, outside the measured time; `call` is measured. No
 * digest is ever right, since its second half is random. `leaky` is the backend `mac` with a leak.
 *
 * @param {ReturnType<import('./classes.mjs').createForger>} forger
 * @param {'node' | 'web'} backend
 */
export async function subjectsOf(forger, { mac, leaky }, backend) {
  const { secret, timestamp, body, digest } = forger.delivery
  const expected = digest.toString('hex')
  const text = (which) => forger.digits(which).toString('latin1')
  const bytes = (which) => Buffer.from(forger.digits(which).toString('latin1'), 'hex')
  const key = await mac.importKey(new TextEncoder().encode(secret))
  const leakyKey = await leaky.importKey(new TextEncoder().encode(secret))
  const prefix = `${timestamp}.`

  const receiver = createReceiver(secret, {
    now: () => Number(timestamp) * 1000,
    onRejected: false,
  })
  const incoming = (signature) =>
    incomingOf(body, { 'x-webhook-timestamp': timestamp, 'x-webhook-signature': signature })

  // The MAC takes much longer than the comparison, so that is measured without the MAC as well.
  const known = {
    prepare: text,
    waits: backend === 'web',
    share: SHARE[backend],
    replace: () => (backend === 'web' ? replaceSign(digest) : replaceHash(digest)),
  }

  return [
    {
      name: 'control: ===',
      control: 'beyond',
      prepare: text,
      call: (digits) => digits === expected,
    },
    {
      name: 'control: two equal classes',
      control: 'within',
      prepare: () => text(0),
      call: (digits) => digits === expected,
    },
    {
      ...known,
      name: LEAK,
      control: 'beyond',
      call: (digits) => leaky.verify(leakyKey, prefix, body, digits),
    },
    { name: 'compare', prepare: bytes, call: (received) => mac.equal(digest, received) },
    {
      ...known,
      name: 'verify, MAC known',
      call: (digits) => mac.verify(key, prefix, body, digits),
    },
    {
      name: 'verify',
      waits: backend === 'web',
      prepare: text,
      call: (digits) => mac.verify(key, prefix, body, digits),
    },
    {
      name: 'receive()',
      waits: true,
      prepare: (which) => incoming(`sha256=${text(which)}`),
      call: (request) => receiver.receive(request).catch(() => false),
    },
  ]
}

/** Without a MAC a call takes little time: how many samples it gets for each of the others. */
const SHARE = { node: 5, web: 1 }

/** Makes node:crypto return the digest for every MAC; returns what restores it. */
function replaceHash(digest) {
  const { hash } = crypto
  const known = digest.toString('latin1')
  crypto.hash = () => known
  return () => {
    crypto.hash = hash
  }
}

/** The same for WebCrypto. */
function replaceSign(digest) {
  const { subtle } = globalThis.crypto
  const known = Promise.resolve(Uint8Array.from(digest).buffer)
  Object.defineProperty(subtle, 'sign', { configurable: true, value: () => known })
  return () => Reflect.deleteProperty(subtle, 'sign')
}
