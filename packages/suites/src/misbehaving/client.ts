import type {
  Connection,
  DeliveryRequest,
  Reply,
  RequestFault,
} from '@webhook-receiver/conformance/internal'
import { satisfies } from '@webhook-receiver/conformance/internal'

/** What a misbehaving client works with. */
export interface ClientContext {
  open(): Promise<Connection>
  /** A request whose handler runs are counted under `label`. */
  request(label: string, fault?: RequestFault): DeliveryRequest
  /** The next response, or how the connection ended; `timeout` where neither comes. */
  response(connection: Connection): Promise<Reply>
  /** How often the handler has run for the delivery of that label. */
  runs(label: string): number
  /** Resolves when the handler has started with the delivery of that label, or the time is up. */
  started(label: string): Promise<void>
  /** Lets the handler go on with a delivery whose content is HELD. */
  release(label: string): void
}

/** A client that misbehaves. `run` resolves to what is wrong with the server's reaction, one sentence each. */
export interface MisbehavingClient {
  readonly name: string
  run(context: ClientContext): Promise<readonly string[]>
}

export function statusProblems(expected: readonly string[], reply: Reply): string[] {
  const outcome = typeof reply === 'string' ? reply : String(reply.status)
  return satisfies(outcome, expected)
    ? []
    : [`expected ${expected.join(' or ')}, observed ${outcome}`]
}

export function runProblems(context: ClientContext, label: string, expected: number): string[] {
  const runs = context.runs(label)
  return runs === expected
    ? []
    : [`expected ${expected} handler runs for ${label}, observed ${runs}`]
}

export function misbehaving(name: string, run: MisbehavingClient['run']): MisbehavingClient {
  return { name, run }
}
