import { hasWindow, publicUrlOf, suggestion, tamperedWord } from '@webhook-receiver/core/internal'
import { signDelivery } from '@webhook-receiver/core/testing'
import {
  newDeliveryId,
  possibleFor,
  type SignedRequest,
  type Tampering,
  tamperedSigning,
  tamperWith,
} from '@webhook-receiver/emulator/internal'
import { titleOf } from '@webhook-receiver/inspector/other-services'
import { type CommandContext, messageOf, tell, UsageError } from '../console/index.ts'
import { type ChosenScheme, checkSigner, successesOf } from '../options/index.ts'

/** What to send. */
export interface Wanted extends ChosenScheme {
  readonly url: URL
  readonly event: string
  /** The events that there are samples of. */
  readonly samples: readonly string[]
  /** The content of the event; of another scheme than the contract, the body. */
  readonly data: Readonly<Record<string, unknown>> | undefined
  readonly tamper: Tampering | undefined
  readonly secret: string
}

/** A delivery ready to be sent. */
export interface ReadyDelivery {
  readonly id: string
  readonly request: SignedRequest
  /** Which word of the body was tampered with. */
  readonly changed: string | undefined
  /** The statuses that the service takes for success; `undefined`: any 2xx. */
  readonly successes: readonly string[] | undefined
}

/** @throws UsageError for what the scheme cannot do. */
export function checkWanted({ scheme, tamper }: Pick<Wanted, 'scheme' | 'tamper'>): void {
  const title = titleOf(scheme)
  checkSigner(scheme)
  const possible = possibleFor(scheme)
  if (!tamper || possible.includes(tamper)) return
  if (tamper === 'stale' || tamper === 'future') {
    throw new UsageError(`--tamper ${tamper} proves nothing: ${title} has no replay window.`)
  }
  const lacks =
    tamper === 'timestamp'
      ? 'signs no timestamp'
      : tamper === 'signature'
        ? 'has none'
        : 'has no such mistake'
  throw new UsageError(
    `--tamper ${tamper} makes no sense: ${title} ${lacks}. Use one of: ${possible.join(', ')}.`,
  )
}

/** Signs a delivery as its service does, and tampers with it. */
export async function makeDelivery(
  { scheme, publicUrl, url, event, samples, data, tamper, secret }: Wanted,
  { now, stderr }: CommandContext,
): Promise<ReadyDelivery> {
  const { events, hasEvent } = scheme
  if (hasEvent && !events && samples.length > 0 && !samples.includes(event)) {
    const near = suggestion(event, samples)
    const others = `Use --data for its content, or one of: ${samples.join(', ')}. `
    const hint = near || (data ? '' : others)
    if (hint) tell(stderr, `There is no sample of ${event}. ${hint}Sending it anyway.`)
  }
  if (events && !events.includes(event)) {
    tell(
      stderr,
      `${event} is not an event of ${titleOf(scheme)}. ${suggestion(event, events)}Sending it anyway: if it is yours, name it in \`extraEvents\` of your receiver.`,
    )
  }
  if ((tamper === 'stale' || tamper === 'future') && !hasWindow(scheme)) {
    tell(
      stderr,
      `${titleOf(scheme)} has no replay window: only a receiver with \`tolerance\` rejects this.`,
    )
  }
  const id = newDeliveryId(scheme)
  const signing = await tamperedSigning({ scheme, secret, now: now() }, tamper)
  const { headers, body } = await signDelivery(signing.secret, data ?? event, {
    ...{ scheme: signing.scheme, id, event },
    now: () => signing.now,
    url: publicUrlOf(publicUrl ?? url.origin, `${url.pathname}${url.search}`),
  }).catch((error: unknown) => {
    throw error instanceof TypeError ? new UsageError(messageOf(error)) : error
  })
  const signed = { headers: Object.entries(headers), body }
  const changed = tamper === 'body' ? tamperedWord(body).note : undefined
  return {
    id,
    request: tamperWith(signed, signing, tamper),
    changed,
    successes: successesOf(scheme),
  }
}
