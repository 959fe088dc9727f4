import crypto from 'node:crypto'
import { createReceiver } from '@webhook-receiver/core'

/** The control that a leak in the library is compared with. */
export const LEAK = 'control: verify with a leak, MAC known'

/** @typedef {import('../../core/.tsc/verify/mac.js').Mac} Mac */

/**
 * What is timed. `prepare` makes the argument of a class, outside the measured time; `call` is what is
 * measured. None of them ever finds a digest right, since the second half is random.
 *
 * @param {ReturnType<import('./classes.mjs').forger>} forged
 * @param {{ mac: Mac, leaky: Mac }} backends the one that the receiver has, and the same with a leak
 * @param {'node' | 'web'} backend
 */
export async function subjects(forged, { mac, leaky }, backend) {
  const { secret, timestamp, body, digest } = forged.delivery
  const expected = digest.toString('hex')
  const text = (which) => forged.digits(which).toString('latin1')
  const bytes = (which) => Buffer.from(forged.digits(which).toString('latin1'), 'hex')
  const key = await mac.importKey(new TextEncoder().encode(secret))
  const leakyKey = await leaky.importKey(new TextEncoder().encode(secret))
  const prefix = `${timestamp}.`

  const receiver = createReceiver(secret, {
    now: () => Number(timestamp) * 1000,
    onRejected: false,
  })
  const incoming = (signature) => ({
    method: 'POST',
    header: (name) =>
      name === 'x-webhook-timestamp'
        ? timestamp
        : name === 'x-webhook-signature'
          ? signature
          : undefined,
    readBody: () => body,
    context: undefined,
  })

  // The MAC hides what the comparison takes, so that is measured without the MAC as well.
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

/** How many samples those without a MAC get, which take little time, for each of the others. */
const SHARE = { node: 5, web: 1 }

/** Lets node:crypto give the digest for every MAC; gives what ends that. */
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
