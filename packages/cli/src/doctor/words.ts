import type { Scheme } from '@webhook-receiver/core'
import { defaultLimit, hasWindow } from '@webhook-receiver/core/internal'
import { titleOf } from '@webhook-receiver/inspector/other-services'
import { schemeValueOf, sharesSecret, signingWords } from '@webhook-receiver/schemes/neighbours'
import type { Fault } from './faults.ts'
import type { FaultGroup } from './groups.ts'
import type { AcceptedMistake } from './probes/accepted-mistake.ts'

/** What is wrong, and still opens nothing to anybody without the secret. */
const HARMLESS: readonly Fault[] = ['lenient-decoding']

/** Of a service, whose packages read timestamps in many ways: a signed one is the service's own. */
const HARMLESS_FOR_SERVICES: readonly Fault[] = ['loose-timestamp', 'unreadable-timestamp']

/** Whether a fault is only noted for this service. */
export function isNote(fault: Fault, { events }: Scheme): boolean {
  return HARMLESS.includes(fault) || (!events && HARMLESS_FOR_SERVICES.includes(fault))
}

/** Makes the function that says what is wrong in the words of the service. One of our receivers logs the same fingerprint. */
export function wordsFor(
  scheme: Scheme,
  fingerprint: string,
  { mistake, fix }: Partial<AcceptedMistake> = {},
): <Group extends FaultGroup>(group: Group) => Group {
  const { idHeader, tolerance } = scheme
  const value = schemeValueOf(scheme)
  const { header = 'the header of the signature', ...signing } = value
    ? signingWords(value)
    : { signing: 'a token', signed: 'the body', header: scheme.headers[0], hash: 'its algorithm' }
  const service = titleOf(scheme)
  const isShared = sharesSecret(scheme)
  const limit = defaultLimit(scheme)
  const words: Readonly<Record<string, string | undefined>> = {
    ...signing,
    ...{ service, mistake, fix },
    mac: isShared ? 'MAC' : 'signature',
    compute: isShared ? 'Compute the MAC' : 'Verify the signature',
    compare: isShared
      ? `Compare the secrets: the fingerprint of this command's is ${fingerprint}`
      : `Give the receiver the public key that belongs to the private key of this command: its fingerprint is ${fingerprint}`,
    // Without a window, no clock rejects anything.
    wrongClock: hasWindow(scheme) ? 'its clock is wrong, ' : '',
    checkClock: hasWindow(scheme) ? 'check the clock, ' : '',
    header: capitalised(header),
    id: idHeader === undefined ? 'an id' : capitalised(idHeader),
    window: `${service}: ${windowOf(tolerance)}`,
    limit: limit % 1_048_576 === 0 ? `${limit / 1_048_576} MiB` : `${limit} bytes`,
  }
  const worded = (text: string) => {
    const filled = text.replace(/\{(\w+)\}/g, (whole, name: string) => words[name] ?? whole)
    return filled.replace(/(?<=^|\. )[a-z]/g, (letter) => letter.toUpperCase())
  }
  return (group) => ({ ...group, cause: worded(group.cause), fix: worded(group.fix) })
}

function windowOf(tolerance: number): string {
  if (tolerance === Number.POSITIVE_INFINITY) return 'until its token expires'
  return tolerance % 60 === 0 ? `${tolerance / 60} minutes` : `${tolerance} s`
}

/** `X-Hub-Signature-256`, as people know the names of headers. */
function capitalised(names: string): string {
  return names.replace(/(?<![\w])(?!or )[a-z]/g, (letter) => letter.toUpperCase())
}
