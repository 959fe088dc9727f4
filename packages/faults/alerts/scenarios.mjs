import { randomSecret } from '@webhook-receiver/tools/signing.mjs'

/** The lease of each receiver, in seconds. */
export const LEASE = 1

/**
 * The endpoints, each with its fault, the alert that has to fire, and those that may fire with it. `redis` gives an endpoint a
 * store in one of two Redis servers.
 */
export const SCENARIOS = [
  { endpoint: 'healthy', fault: 'none', apply() {} },
  {
    endpoint: 'forged-flood',
    fault: 'forged requests beside accepted deliveries',
    apply: (at) => at.flood(4),
  },
  {
    endpoint: 'wrong-secret',
    fault: 'the receiver is restarted with a wrong secret',
    alert: 'WebhookNothingAccepted',
    apply: (at) => at.restart({ current: randomSecret() }),
  },
  {
    endpoint: 'forged-alone',
    fault: 'forged requests, and the service sends nothing',
    alert: 'WebhookNothingAccepted',
    apply(at) {
      at.silence()
      at.flood(1)
    },
  },
  {
    endpoint: 'silence',
    fault: 'the service sends nothing',
    alert: 'WebhookNothingArrives',
    apply: (at) => at.silence(),
  },
  {
    endpoint: 'down',
    fault: 'the receiver is killed',
    alert: 'WebhookNothingArrives',
    apply: (at) => at.stop(),
  },
  {
    endpoint: 'throws',
    fault: 'the handler throws',
    alert: 'WebhookOurFault',
    apply: (at) => at.fault('throws'),
  },
  {
    endpoint: 'store-away',
    fault: 'Redis is stopped',
    alert: 'WebhookStoreAway',
    also: ['WebhookOurFault'],
    redis: 'stopped',
    apply: (_at, redis) => redis.stop(),
  },
  {
    endpoint: 'slow',
    fault: 'the handler takes 6 s',
    alert: 'WebhookHandlersSlow',
    apply: (at) => at.fault('slow'),
  },
  {
    endpoint: 'blocked',
    fault: `one of 12 deliveries blocks the event loop for ${LEASE * 1.5} s, with a lease of ${LEASE} s`,
    alert: 'WebhookLeasesLost',
    // What lost its lease is answered 503, and what waits behind it is late.
    also: ['WebhookOurFault', 'WebhookHandlersSlow'],
    redis: 'kept',
    apply: (at) => at.fault('blocks'),
  },
  {
    endpoint: 'old-secret',
    fault: 'the receiver is restarted in a rotation, and the service signs with the old secret',
    alert: 'WebhookOldSecretInUse',
    apply: (at) => at.restart({ current: randomSecret(), previous: at.secret }),
  },
]
