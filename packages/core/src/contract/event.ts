/** The seven kinds of event, as the contract (section 6) names them. */
export const EVENTS = [
  'message.received',
  'message.sent',
  'message.delivered',
  'message.read',
  'message.failed',
  'instance.connected',
  'instance.disconnected',
] as const

/** One of the seven kinds of event of the contract. */
export type WebhookEvent = (typeof EVENTS)[number]

/** The contract as a kind of scheme. */
export interface ContractKind {
  readonly name: 'contract'
  readonly id: true
  readonly idSigned: true
  readonly event: true
  readonly events: { readonly [Event in WebhookEvent]: unknown }
  readonly whole: true
}

/**
 * The types of `data.data` by event, for applications that want types without validation at runtime.
 *
 * It is empty, because the contract does not define the content. Add your types by declaration merging, on the package that
 * your application imports. Use the same package everywhere: TypeScript ignores declarations through a second one.
 *
 * @example
 * declare module '@webhook-receiver/express' {
 *   interface EventData {
 *     'message.received': { text: string }
 *   }
 * }
 */
// biome-ignore lint/suspicious/noEmptyInterface: it is there to be merged into
export interface EventData {}
