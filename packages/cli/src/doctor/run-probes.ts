import { Interrupted } from '../failure.ts'
import { countEffects } from './effect-counts.ts'
import type { Observer } from './observer.ts'
import type { Finding, Probe, ProbeResult, Sent } from './probe.ts'
import type { ProbeClient } from './probe-client.ts'
import { probeResult } from './probe-result.ts'

export interface RunProbesOptions {
  readonly observe?: Observer | undefined
  /** Ends the examination after the probe that is under way. */
  readonly signal?: AbortSignal | undefined
  /** Called before each probe. */
  readonly onProbe?: ((probe: Probe, index: number, total: number) => void) | undefined
  /** Called after each probe. Effects are counted later, so a probe that passed here may still fail. */
  readonly onFinding?: ((probe: Probe, finding: Finding) => void) | undefined
}

/**
 * Sends the probes one after the other and resolves to the result of each.
 *
 * @throws Interrupted where the signal is aborted.
 */
export async function runProbes(
  client: ProbeClient,
  probes: readonly Probe[],
  { observe, signal, onProbe, onFinding }: RunProbesOptions = {},
): Promise<ProbeResult[]> {
  const sent: Sent[] = []
  let over = false
  for (const [index, probe] of probes.entries()) {
    if (over) {
      sent.push({ probe })
      continue
    }
    if (signal?.aborted) throw new Interrupted(`${index} of ${probes.length} probes were sent.`)
    onProbe?.(probe, index, probes.length)
    const finding = await probe.run(client)
    onFinding?.(probe, finding)
    const unreachable = finding.observed.includes('unreachable')
    const noStatus = index === 0 && !finding.observed.some((outcome) => /^\d{3}$/.test(outcome))
    sent.push({
      probe,
      finding:
        unreachable || noStatus
          ? { ...finding, fault: index === 0 ? firstFault(finding) : 'crashed' }
          : finding,
    })
    over = unreachable || noStatus
  }
  // If an answer is wrong, the probe has failed already.
  const effects = sent.flatMap(({ finding }) =>
    finding?.problems.length === 0 ? finding.effects : [],
  )
  const counts = observe && !over ? await countEffects(effects, observe) : undefined
  const [first] = sent
  const accepts = first?.finding?.problems.length === 0
  return sent.map((one) => probeResult(one, { counts, accepts }))
}

function firstFault({ observed }: Finding): 'unreachable' | 'no-answer' {
  const silent = observed.every((outcome) => outcome === 'timeout' || outcome === 'closed')
  return silent ? 'no-answer' : 'unreachable'
}
