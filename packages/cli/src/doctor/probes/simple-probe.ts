import { expectAccepted, expectRefused } from '../answer-checks.ts'
import type { Fault } from '../faults.ts'
import type { Group, Probe } from '../probe.ts'
import type { ProbeRequest, ProbeSettings } from '../probe-request.ts'

interface SimpleProbe {
  readonly id: string
  readonly group: Group
  readonly sends: string
  readonly fault: Fault
  /** The fault if the answer is a 5xx, and if there is no answer. */
  readonly faults?: { readonly failure?: Fault; readonly noAnswer?: Fault }
  /** The requests, each sent on a connection of its own. */
  readonly requests: (settings: ProbeSettings) => readonly ProbeRequest[]
}

/** Creates a probe whose requests should all be accepted. */
export function acceptedProbe({ requests, faults: _, ...probe }: SimpleProbe): Probe {
  return {
    ...probe,
    expects: '2xx',
    run: async (client) => {
      const sent = requests(client.settings)
      return expectAccepted(sent, await client.sendSeparately(sent))
    },
  }
}

/** Creates a probe whose requests should all be refused. */
export function refusedProbe({ requests, faults, ...probe }: SimpleProbe): Probe {
  return {
    ...probe,
    expects: '4xx',
    run: async (client) => {
      const sent = requests(client.settings)
      return expectRefused(sent, await client.sendSeparately(sent), faults)
    },
  }
}
