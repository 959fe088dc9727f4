import type { Scheme } from '@webhook-receiver/core'
import { readFacts } from '@webhook-receiver/emulator/internal'
import type { KeptRequest, Redriven } from '@webhook-receiver/quarantine'
import type { Paint } from '../console/colour.ts'
import type { CommandContext } from '../console/context.ts'
import { messageOf } from '../console/failure.ts'
import { eventColumn, printable, writeJson } from '../console/printable.ts'
import { utcOf } from '../console/time.ts'
import { beside } from '../console/wrap.ts'

/** What a delivery that was, or could be, handled came to. */
export const SUCCESS: readonly string[] = ['delivered', 'duplicate', 'deliverable']

/** The length of `deliverable`, the longest outcome. */
const LONGEST = 11

type Outputs = Pick<CommandContext, 'stdout'>

/** One line about one file, whose name may be below it; JSON where there is no paint. */
export function writeRedriven(
  { name, outcome, request, id, reason, error }: Redriven,
  { scheme, paint }: { readonly scheme: Scheme; readonly paint: Paint | undefined },
  { stdout }: Outputs,
): void {
  const message = error === undefined ? undefined : messageOf(error)
  if (!paint) {
    const received_at = request && new Date(request.receivedAt).toISOString()
    writeJson(stdout, { file: name, outcome, received_at, id, reason, error: message })
    return
  }
  const [colour, mark] = SUCCESS.includes(outcome)
    ? (['green', '✓'] as const)
    : (['red', '✗'] as const)
  const facts: Partial<ReturnType<typeof readFacts>> = request ? readFacts(scheme, request, '') : {}
  // Of a postponed one, the error at the end says why.
  const why = reason ?? (outcome === 'postponed' ? undefined : message)
  const about = request && [eventColumn(facts.event ?? ''), request.endpoint, id ?? facts.id ?? '']
  const cells = [
    paint(colour, `${mark} ${outcome.padEnd(LONGEST)}`),
    ...[...(about ?? []), why].flatMap((cell) => (cell ? [printable(`${cell}`)] : [])),
  ]
  // Only what is wrong has to be looked at.
  const file = SUCCESS.includes(outcome) ? '' : printable(name)
  stdout.write(`${beside(cells.join('  '), file, stdout).join('\n')}\n`)
}

/** One line about a kept request, whose file may be below it; JSON where there is no paint. */
export function writeListed(
  file: string,
  request: KeptRequest,
  { scheme, paint }: { readonly scheme: Scheme; readonly paint: Paint | undefined },
  { stdout }: Outputs,
): void {
  const { receivedAt, endpoint, rejected, body } = request
  const { reason, address } = rejected
  if (!paint) {
    const received_at = new Date(receivedAt).toISOString()
    writeJson(stdout, { file, received_at, endpoint, reason, address, bytes: body.length })
    return
  }
  // As it says itself: nothing of it was verified.
  const { event = '' } = readFacts(scheme, request, '')
  const facts = [endpoint, reason, address ?? 'address unknown']
  const cells = [
    utcOf(receivedAt),
    eventColumn(event),
    ...facts.map((fact) => printable(`${fact}`)),
  ]
  const line = cells.join('  ')
  stdout.write(`${beside(line, printable(file), stdout).join('\n')}\n`)
}
