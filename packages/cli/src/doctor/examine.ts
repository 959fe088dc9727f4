import { Interrupted } from '../failure.ts'
import type { Bench } from './bench.ts'
import { countEffects } from './counts.ts'
import type { Observer } from './observer.ts'
import type { Finding, Probe, ProbeResult, Sent } from './probe.ts'
import { verdict } from './verdict.ts'

export interface ExamineOptions {
  readonly observe?: Observer | undefined
  /** Ends the examination after the probe that is under way. */
  readonly signal?: AbortSignal | undefined
  /** Told before each probe. */
  readonly onProbe?: ((probe: Probe, index: number, total: number) => void) | undefined
}

/**
 * Sends the probes one after the other and judges what came of each.
 *
 * @throws Interrupted where the signal is aborted.
 */
export async function examine(
  bench: Bench,
  probes: readonly Probe[],
  { observe, signal, onProbe }: ExamineOptions = {},
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
    const finding = await probe.run(bench)
    const gone = finding.observed.includes('unreachable')
    const dumb = index === 0 && !finding.observed.some((outcome) => /^\d{3}$/.test(outcome))
    sent.push({
      probe,
      finding:
        gone || dumb ? { ...finding, fault: index === 0 ? dumbness(finding) : 'crashed' } : finding,
    })
    over = gone || dumb
  }
  // Where an answer is wrong, the effect is no news.
  const effects = sent.flatMap(({ finding }) =>
    finding?.problems.length === 0 ? finding.effects : [],
  )
  const counts = observe && !over ? await countEffects(effects, observe) : undefined
  const [first] = sent
  const accepts = first?.finding?.problems.length === 0
  return sent.map((one) => verdict(one, { counts, accepts }))
}

function dumbness({ observed }: Finding): 'unreachable' | 'no-answer' {
  const silent = observed.every((outcome) => outcome === 'timeout' || outcome === 'closed')
  return silent ? 'no-answer' : 'unreachable'
}
