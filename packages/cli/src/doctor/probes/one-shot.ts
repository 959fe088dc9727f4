import type { Fault } from '../faults.ts'
import { allAccepted, allRefused } from '../judge.ts'
import type { Group, Probe } from '../probe.ts'
import type { Shot, Source } from '../shot.ts'

interface Question {
  readonly id: string
  readonly group: Group
  readonly sends: string
  readonly fault: Fault
  /** What is wrong where the answer is a 5xx, and where none is seen. */
  readonly faults?: { readonly failure?: Fault; readonly unseen?: Fault }
  /** The requests, each sent on a connection of its own. */
  readonly shots: (source: Source) => readonly Shot[]
}

/** A probe whose requests should all be accepted. */
export function accepting({ shots, faults: _, ...question }: Question): Probe {
  return {
    ...question,
    expects: '2xx',
    run: async (bench) => {
      const sent = shots(bench.source)
      return allAccepted(sent, await bench.each(sent))
    },
  }
}

/** A probe whose requests should all be refused. */
export function refusing({ shots, faults, ...question }: Question): Probe {
  return {
    ...question,
    expects: '4xx',
    run: async (bench) => {
      const sent = shots(bench.source)
      return allRefused(sent, await bench.each(sent), faults)
    },
  }
}
