import type { Scheme } from '@webhook-receiver/core'
import { type KeyForm, schemeValueOf } from '@webhook-receiver/schemes/neighbours'
import { successesOf } from '../../options/index.ts'
import type { Probe } from '../probe.ts'
import { isAccepted } from '../response.ts'
import { PROBES } from './list.ts'
import { isJson, makesSense } from './needs.ts'

/**
 * The probes for a service, where a body that is too large has `oversize` bytes, and `shared` is how it signs where a receiver has no
 * public key.
 */
export function probesFor(scheme: Scheme, oversize: number, shared?: KeyForm): readonly Probe[] {
  const service = { scheme, value: schemeValueOf(scheme), oversize, shared }
  const probes = PROBES.filter(({ id }) => makesSense(id, service))
  // Two spellings of JSON and a forged one: what gets the same response is rejected for another reason than its signature. A
  // receiver without a secret takes what is signed with none.
  const first = [
    'valid-compact',
    isJson(service) ? 'valid-spaced' : 'valid-unicode',
    probes.some(({ id }) => id === 'forged-no-secret') ? 'forged-no-secret' : 'forged-secret',
  ]
  const order = ({ id }: Probe) => (first.includes(id) ? first.indexOf(id) : first.length)
  probes.sort((one, other) => order(one) - order(other))
  const successes = successesOf(scheme)
  return successes ? probes.map((probe) => expecting(successes, probe)) : probes
}

/** What is not checked of a service, and why. */
export function leftOut(scheme: Scheme, sent: readonly Probe[]): readonly string[] {
  const value = schemeValueOf(scheme)
  const has = (group: Probe['group']) => sent.some((one) => one.group === group)
  const service = scheme.title ?? 'this service'
  const time = value?.timestamp
    ? `for which ${service} documents no window`
    : `which ${service} does not sign`
  return [
    ...(sent.some(({ id }) => id === 'time-stale') ? [] : [`the age of a delivery, ${time}`]),
    ...(has('repetition') ? [] : [`duplicates, as the deliveries of ${service} have no id`]),
    ...(has('size') ? [] : [`the limit of a body (--oversize is within what ${service} may send)`]),
  ]
}

/** The same probe for a service that takes only some statuses for success. */
function expecting(successes: readonly string[], probe: Probe): Probe {
  return {
    ...probe,
    async run(client) {
      const found = await probe.run(client)
      const other = found.observed.find(
        (outcome) => isAccepted({ outcome }) && !successes.includes(outcome),
      )
      if (found.problems.length > 0 || !other) return found
      return {
        ...found,
        problems: [`expected ${successes.join(' or ')}, got ${other}`],
        fault: 'other-success',
      }
    },
  }
}
