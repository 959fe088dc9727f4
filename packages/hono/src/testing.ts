import type { WebhookEvent } from '@webhook-receiver/core'
import { type DeliverOptions, prepareDelivery } from '@webhook-receiver/core/testing'

export { type DeliverOptions, sampleDelivery, signDelivery } from '@webhook-receiver/core/testing'

/** The options of `deliverTo` of every adapter, and the bindings. */
interface HonoDeliverOptions<Bindings extends object = object> extends DeliverOptions {
  /**
   * The secret to sign with.
   * @default env.WEBHOOK_SECRET, else process.env.WEBHOOK_SECRET
   */
  readonly secret?: string | undefined
  /** The value of `c.env` in the application. */
  readonly env?: Partial<Bindings> | undefined
}

/** A Hono application, with what is in its `c.env`. */
interface HonoApplication<Bindings> {
  // biome-ignore lint/complexity/noBannedTypes: Hono's own type has it, and the bindings are inferred from that.
  request(input: string, init: RequestInit, env?: Bindings | {}): Response | Promise<Response>
}

/**
 * Signs a delivery, passes it to the application without a server, and resolves to the response.
 *
 * @throws TypeError for an invalid argument, or if there is no secret.
 *
 * @example
 * const response = await deliverTo(app, 'message.received', { text: 'hello' })
 */
export async function deliverTo<Bindings extends object>(
  app: HonoApplication<Bindings>,
  event: WebhookEvent | (string & {}),
  data?: Readonly<Record<string, unknown>>,
  { env, ...options }: HonoDeliverOptions<NoInfer<Bindings>> = {},
): Promise<Response> {
  const { secret = secretIn(env) } = options
  const { path, headers, body } = await prepareDelivery(event, data, { ...options, secret })
  return app.request(path, { method: 'POST', headers, body }, env)
}

function secretIn(env: object = {}): string | undefined {
  const secret: unknown = Reflect.get(env, 'WEBHOOK_SECRET')
  return typeof secret === 'string' ? secret : undefined
}
