import type { Scheme } from '@webhook-receiver/core'
import type { DefinedScheme } from '@webhook-receiver/schemes'
import type { Description, Probe } from '../probe.ts'
import described from '../probes.json' with { type: 'json' }
import { isAccepted } from '../response.ts'
import { connectionProbes } from './connection.ts'
import { rejectedProbes } from './rejected.ts'
import { repetitionProbes } from './repetition.ts'
import { validProbes } from './valid.ts'

export { PROBE_EVENT } from './valid.ts'

/** What each probe is about, which only people read, is in JSON. */
const DESCRIBED: Readonly<Record<string, Omit<Description, 'id'>>> = described as Record<
  string,
  Omit<Description, 'id'>
>

/** All probes, in the order in which they are sent. The first one tells whether there is any response. */
export const PROBES: readonly Probe[] = Object.entries({
  ...validProbes,
  ...rejectedProbes,
  ...repetitionProbes,
  ...connectionProbes,
}).flatMap(([id, run]) => {
  const description = DESCRIBED[id]
  return description ? [{ id, ...description, run }] : []
})

/** Those that make sense for any service, and what it needs. The others need headers that hold one thing only. */
const FOR_SERVICES: Readonly<Record<string, (scheme: Scheme) => boolean>> = {
  'valid-compact': () => true,
  'valid-indented': isJson,
  'valid-unicode': () => true,
  'valid-chunked': () => true,
  'valid-header-case': () => true,
  'forged-secret': () => true,
  'forged-no-signature': () => true,
  'altered-body': () => true,
  'altered-newline': () => true,
  'time-stale': ({ tolerance }) => Number.isFinite(tolerance),
  'size-announced': () => true,
  'method-put': () => true,
  'json-broken': isJson,
  duplicate: ({ hasId }) => hasId,
  'connection-reused': () => true,
}

/** The probes for a service whose secret is shared. */
export function probesFor(scheme: Scheme): readonly Probe[] {
  const { success } = scheme
  const probes = PROBES.filter(
    ({ id }) => FOR_SERVICES[id]?.(scheme) ?? scheme.places !== undefined,
  )
  // Two spellings of JSON and a forged one: what gets the same response is rejected for another reason than its signature.
  const first = [
    'valid-compact',
    scheme.places ? 'valid-spaced' : 'valid-indented',
    // A receiver without a secret takes what is signed with none.
    scheme.places ? 'forged-no-secret' : 'forged-secret',
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

function isJson({ value }: Scheme & Partial<DefinedScheme>): boolean {
  return value?.signed.includes('form') !== true
}
