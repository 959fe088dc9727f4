import { SIGNATURE, TIMESTAMP } from './head.ts'

/**
 * How the service signs, as data, in the form that other services have in `@webhook-receiver/schemes`: for tools. Receivers run the
 * functions of `scheme.ts`, which are faster, and read four forms of the timestamp. `scheme.json` of `@webhook-receiver/contract` is the same.
 */
export const VALUE: object = {
  name: 'default',
  checked: '2026-11-25',
  signature: { header: SIGNATURE, encoding: 'hex' },
  keys: [{ algorithm: 'hmac-sha256', secret: 'text', prefix: 'sha256=' }],
  signed: ['timestamp', { text: '.' }, 'body'],
  timestamp: { at: { header: TIMESTAMP }, unit: 's', tolerance: 300 },
  id: [{ pointer: '/id' }],
  event: [{ pointer: '/event' }],
}
