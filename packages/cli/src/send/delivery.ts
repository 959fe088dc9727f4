import { EVENTS } from '@webhook-receiver/core'
import { contract, type SchemeResponse } from '@webhook-receiver/core/adapter'
import { prepareDelivery, sampleDelivery, signDelivery } from '@webhook-receiver/core/testing'
import {
  type SignedRequest,
  signTampered,
  type Tampering,
} from '@webhook-receiver/emulator/request'
import { type CommandContext, messageOf, printable, UsageError } from '../console/index.ts'
import { type ChosenScheme, checkSigner } from '../options/index.ts'

/** What to send. */
export interface Wanted extends ChosenScheme {
  readonly url: URL
  readonly event: string
  /** The content of the event; of another scheme than the contract, the body. */
  readonly data: Readonly<Record<string, unknown>> | undefined
  readonly instance: string | undefined
  readonly tamper: Tampering | undefined
  readonly secret: string
}

/** A delivery ready to be sent. */
export interface ReadyDelivery {
  readonly id: string
  readonly request: SignedRequest
  /** The one status that the service takes for success; `undefined`: any 2xx. */
  readonly success: SchemeResponse | undefined
}

/** @throws UsageError for what a scheme other than the contract cannot do. */
export function checkWanted({
  scheme,
  instance,
  tamper,
}: Pick<Wanted, 'scheme' | 'instance' | 'tamper'>): void {
  const { name, tolerance } = scheme
  checkSigner(scheme)
  if (name === contract.name) return
  if (instance !== undefined)
    throw new UsageError(`--instance is for the contract, not for ${name}.`)
  if (tamper && TAMPERINGS[tamper] === undefined) {
    const names = Object.keys(TAMPERINGS).join(', ')
    throw new UsageError(
      `--tamper ${tamper} is for the contract. With ${name}, use one of: ${names}.`,
    )
  }
  if ((tamper === 'stale' || tamper === 'future') && tolerance === Number.POSITIVE_INFINITY) {
    throw new UsageError(`--tamper ${tamper} proves nothing: ${name} has no replay window.`)
  }
}

/** Signs a delivery as its service does, and tampers with it. */
export function makeDelivery(wanted: Wanted, context: CommandContext): Promise<ReadyDelivery> {
  return wanted.scheme.name === contract.name
    ? contractDelivery(wanted, context)
    : schemeDelivery(wanted, context)
}

async function contractDelivery(
  { event, data, instance, tamper, secret }: Wanted,
  { now, stderr }: CommandContext,
): Promise<ReadyDelivery> {
  if (!EVENTS.some((known) => known === event)) {
    stderr.write(
      `${printable(event)} is not one of the known events, but is sent anyway. The known ones are ${EVENTS.join(', ')}.\n`,
    )
  }
  const delivery = sampleDelivery(event, { data, instanceId: instance, now })
  const { headers, body } = await signDelivery(secret, delivery, { now })
  const signed = { headers: Object.entries(headers), body }
  const request = tamper ? await signTampered(signed, secret, now(), tamper) : signed
  return { id: delivery.id, request, success: undefined }
}

async function schemeDelivery(
  { scheme, publicUrl, url, event, data, tamper, secret }: Wanted,
  { now, stderr }: CommandContext,
): Promise<ReadyDelivery> {
  const { name, success } = scheme
  if (!scheme.hasEvent) stderr.write(`${name} has no names of events: the event is not sent.\n`)
  const id = crypto.randomUUID()
  const prepared = await prepareDelivery(event, data, {
    ...{ scheme, publicUrl, secret, id, now },
    path: `${url.pathname}${url.search}`,
    tamper: (tamper && TAMPERINGS[tamper]) || undefined,
  }).catch((error: unknown) => {
    throw error instanceof TypeError ? new UsageError(messageOf(error)) : error
  })
  const headers = Object.entries(prepared.headers).filter(
    ([header]) => tamper !== 'unsigned' || !scheme.headers.includes(header),
  )
  return { id, request: { headers, body: prepared.body }, success }
}

/** By the name on the command line: what `prepareDelivery` calls it; `false` for what is done here. */
const TAMPERINGS: {
  readonly [Name in Tampering]?: 'alter' | 'wrong-secret' | 'stale' | 'future' | false
} = {
  body: 'alter',
  secret: 'wrong-secret',
  stale: 'stale',
  future: 'future',
  unsigned: false,
}
