import type { SchemeValue } from '../src/index.ts'

/** The shortest value, to which a test adds what it is about. */
export const ACME = {
  name: 'acme',
  checked: '2026-11-23',
  signature: { header: 'x-signature', encoding: 'hex' },
  keys: [{ algorithm: 'hmac-sha256', secret: 'text' }],
  signed: ['body'],
} as const satisfies SchemeValue
