import { createReceiver } from '@webhook-receiver/core'

/**
 * What is timed. `prepare` makes the argument of a class, outside the measured time; `call` is what is
 * measured. None of them ever finds a digest right, since the second half is random.
 *
 * @param {ReturnType<import('./classes.mjs').forger>} forged
 * @param {import('../../packages/core/dist/mac.js').Mac} mac the backend that the receiver has, too
 * @param {'node' | 'web'} backend
 */
export async function subjects(forged, mac, backend) {
  const { secret, timestamp, body, digest } = forged.delivery
  const expected = digest.toString('hex')
  const text = (which) => forged.digits(which).toString('latin1')
  const bytes = (which) => Buffer.from(forged.digits(which).toString('latin1'), 'hex')
  const key = await mac.importKey(new TextEncoder().encode(secret))
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
    { name: 'compare', prepare: bytes, call: (received) => mac.equal(digest, received) },
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
