import type { KeptRequest, Redriven } from '@webhook-receiver/quarantine'
import type { Paint } from '../console/colour.ts'
import type { CommandContext } from '../console/context.ts'
import { messageOf } from '../console/failure.ts'
import { printable, writeJson } from '../console/printable.ts'

/** What a delivery that was, or could be, handled came to. */
export const SUCCESS: readonly string[] = ['delivered', 'duplicate', 'deliverable']

type Outputs = Pick<CommandContext, 'stdout'>

/** One line about one file; JSON where there is no paint. */
export function writeRedriven(
  { name, outcome, request, id, reason, error }: Redriven,
  { stdout }: Outputs,
  paint: Paint | undefined,
): void {
  const message = error === undefined ? undefined : messageOf(error)
  if (!paint) {
    const received_at = request && new Date(request.receivedAt).toISOString()
    writeJson(stdout, { file: name, outcome, received_at, id, reason, error: message })
    return
  }
  const colour = SUCCESS.includes(outcome) ? 'green' : 'red'
  const why = reason ?? message ?? id ?? ''
  stdout.write(`${paint(colour, outcome)}  ${printable(why)}  ${printable(name)}\n`)
}

/** One line about a kept request; JSON where there is no paint. */
export function writeListed(
  file: string,
  { receivedAt, endpoint, rejected, body }: KeptRequest,
  { stdout }: Outputs,
  paint: Paint | undefined,
): void {
  const { reason, address } = rejected
  const received_at = new Date(receivedAt).toISOString()
  if (!paint) {
    writeJson(stdout, { file, received_at, endpoint, reason, address, bytes: body.length })
    return
  }
  const facts = [received_at, endpoint, reason, address ?? 'address unknown', file]
  stdout.write(`${facts.map((fact) => printable(String(fact))).join('  ')}\n`)
}
