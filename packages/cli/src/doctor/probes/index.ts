import type { Scheme } from '@webhook-receiver/core'
import type { DefinedScheme } from '@webhook-receiver/schemes'
import type { Fault } from '../faults.ts'
import type { Probe, Runs } from '../probe.ts'
import described from '../probes.json' with { type: 'json' }
import { isAccepted } from '../response.ts'
import { connectionProbes } from './connection.ts'
import { rejectedProbes } from './rejected.ts'
import { repetitionProbes } from './repetition.ts'
import { validProbes } from './valid.ts'

export { PROBE_EVENT } from './valid.ts'

const RUNS: Runs = {
  ...validProbes,
  ...rejectedProbes,
  ...repetitionProbes,
  ...connectionProbes,
}

/** What is sent, in a few words, and the fault to report, by the id of the probe, in groups. Only people read it, so it is in JSON. */
type Described = Readonly<
  Record<Probe['group'], Readonly<Record<string, readonly [sends: string, fault: Fault]>>>
>

/** All probes, in the order in which they are sent. The first one tells whether there is any response. */
export const PROBES: readonly Probe[] = Object.entries(described as unknown as Described).flatMap(
  ([group, probes]) =>
    Object.entries(probes).flatMap(([id, [sends, fault]]) => {
      const run = RUNS[id]
      return run ? [{ id, group: group as Probe['group'], sends, fault, run }] : []
    }),
)

/** Those that make sense for any service. The others need headers that hold one thing only. */
const FOR_ANY =
  /^(?:valid-(?:compact|indented|unicode|chunked|header-case)|forged-(?:secret|no-signature)|altered-(?:body|newline)|time-stale|size-announced|method-put|json-broken|duplicate|connection-reused)$/

/** The probes for a service whose secret is shared. */
export function probesFor(scheme: Scheme): readonly Probe[] {
  const { success, places, tolerance, hasId, value }: Scheme & Partial<DefinedScheme> = scheme
  const isForm = value?.signed.includes('form')
  const probes = PROBES.filter(({ id }) => {
    if (isForm && /^(?:valid-indented|json-broken)$/.test(id)) return false
    if (id === 'time-stale') return Number.isFinite(tolerance)
    if (id === 'duplicate') return hasId
    return places !== undefined || FOR_ANY.test(id)
  })
  // Two spellings of JSON and a forged one: what gets the same response is rejected for another reason than its signature.
  const first = [
    'valid-compact',
    places ? 'valid-spaced' : 'valid-indented',
    // A receiver without a secret takes what is signed with none.
    places ? 'forged-no-secret' : 'forged-secret',
  ]
  const order = ({ id }: Probe) => (first.includes(id) ? first.indexOf(id) : first.length)
  probes.sort((one, other) => order(one) - order(other))
  return success ? probes.map((probe) => expecting(String(success.status), probe)) : probes
}

/** The same probe for a service that takes only one status for success. */
function expecting(status: string, probe: Probe): Probe {
  return {
    ...probe,
    async run(client) {
      const found = await probe.run(client)
      const other = found.observed.find((outcome) => isAccepted({ outcome }) && outcome !== status)
      if (found.problems.length > 0 || !other) return found
      return { ...found, problems: [`expected ${status}, got ${other}`], fault: 'other-success' }
    },
  }
}
