import { setTimeout as delay } from 'node:timers/promises'
import { Interrupted, whenAborted } from '../console/index.ts'
import type { ProbeClient } from './client.ts'
import type { Fault } from './faults.ts'
import type { Observer } from './observer.ts'
import type { Effect, Observation, Probe, ProbeResult } from './probe.ts'
import { isAccepted, isStatus, silenceOf } from './response.ts'

export interface RunProbesOptions {
  readonly observe?: Observer | undefined
  /** Ends the examination. */
  readonly signal?: AbortSignal | undefined
  /** Called before each probe. */
  readonly onProgress?: ((probes: readonly Probe[], index: number) => void) | undefined
}

/** After how many probes with one cause no other result would tell more. */
const ENOUGH = 3

/** Groups in which a rejection proves nothing if the receiver rejects everything. */
const REJECTIONS: readonly ProbeResult['group'][] = ['forged', 'time', 'invalid']

/** When to ask the observer first, how often, and for how long at most, in milliseconds. A handler may run after the response. */
const WAIT = { first: 300, pause: 250, most: 3000 }

/**
 * Sends the probes one after the other and resolves to the result of each.
 *
 * @throws Interrupted where the signal is aborted.
 */
export async function runProbes(
  client: ProbeClient,
  probes: readonly Probe[],
  { observe, signal, onProgress }: RunProbesOptions = {},
): Promise<readonly ProbeResult[]> {
  const observations: Observation[] = []
  const aborted = signal ? whenAborted(signal) : new Promise<void>(() => {})
  let over = false
  for (const [index, probe] of probes.entries()) {
    onProgress?.(probes, index)
    const observation = await Promise.race([aborted, probe.run(client)])
    if (!observation) throw new Interrupted(`${index} of ${probes.length} probes were sent.`)
    const { observed } = observation
    const noStatus = !observed.some((outcome) => isStatus({ outcome }))
    over = observed.includes('unreachable') || (index === 0 && noStatus)
    const lost: Fault = index === 0 ? firstFault(observation) : 'crashed'
    observations.push(over ? { ...observation, fault: lost } : observation)
    if (over) break
    if (!isOneCause(observations)) continue
    // Behind a limit, a rejection proves nothing.
    if (observed.includes('429')) {
      const limited = { problems: ['a rate limit rejected it'], fault: 'rate-limited' } as const
      observations.push(...observations.splice(-ENOUGH).map((one) => ({ ...one, ...limited })))
    }
    break
  }
  // If a response is wrong, the probe has failed already.
  const effects = observations.flatMap(({ problems, effects }) =>
    problems.length > 0 ? [] : effects,
  )
  const counts = observe && !over ? await countEffects(effects, observe) : undefined
  const accepts = observations[0]?.observed.every((outcome) => isAccepted({ outcome })) === true
  return probes.map(({ run: _, ...probe }, index) => {
    const { observed = [], problems = [] } = observations[index] ?? {}
    const verdict = verdictOf(probe, observations[index], counts, accepts)
    return { ...probe, observed, problems, ...verdict }
  })
}

/** Whether the first probes, of which one is forged, or the last ones got the same response for one reason. */
function isOneCause(observations: readonly Observation[]): boolean {
  const last = observations.slice(-ENOUGH).map(({ observed }) => observed)
  const [status = ''] = last[0] ?? []
  if (last.length < ENOUGH || !/^[345]/.test(status)) return false
  const isSame = last.flat().every((outcome) => outcome === status)
  return isSame && (observations.length === ENOUGH || status === '429')
}

function firstFault({ observed: [outcome = ''] }: Observation): Fault {
  return /^(?:timeout|closed|cut)$/.test(outcome) ? silenceOf({ outcome }) : 'unreachable'
}

/** `accepts` is whether the receiver accepts the plainest valid delivery; without an observer there are no counts. */
function verdictOf(
  { group }: Pick<Probe, 'group'>,
  observation: Observation | undefined,
  counts: ReadonlyMap<string, number> | undefined,
  accepts: boolean,
): Pick<ProbeResult, 'verdict'> & Partial<ProbeResult> {
  if (!observation) return { verdict: 'skipped', note: 'its result would have the same cause' }
  const { fault, problems, effects, said } = observation
  if (problems.length > 0) {
    return { verdict: 'failed', ...(fault && { fault }), ...(said && { said: said.slice(0, 400) }) }
  }
  const wrong = counts && effects.filter(({ id, runs }) => (counts.get(id) ?? 0) !== runs)
  if (wrong?.[0]) {
    const { id, runs, faultIfMore, faultIfLess } = wrong[0]
    const observed = wrong.map((effect) => problemOf(effect, counts?.get(effect.id) ?? 0))
    const isMore = (counts?.get(id) ?? 0) > runs
    return { verdict: 'failed', problems: observed, fault: isMore ? faultIfMore : faultIfLess }
  }
  if (!accepts && REJECTIONS.includes(group)) {
    const note = 'the receiver accepts no valid delivery, so a rejection proves nothing'
    return { verdict: 'not_observable', note }
  }
  if (!counts && observation.needsEffects) {
    const note = 'the responses are right, but only --observe can show how often the handler ran'
    return { verdict: 'not_observable', note }
  }
  return { verdict: 'passed' }
}

function problemOf({ runs }: Effect, count: number): string {
  return `expected the handler to run ${times(runs)}, but it ran ${times(count)}`
}

function times(count: number): string {
  return count === 0 ? 'not at all' : count === 1 ? 'once' : `${count} times`
}

/** Asks the observer how often the handler ran, and waits for the runs that are still missing. */
async function countEffects(
  effects: readonly Effect[],
  observe: Observer,
): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>()
  const end = performance.now() + WAIT.first + WAIT.most
  await delay(WAIT.first)
  for (let left = effects; ; await delay(WAIT.pause)) {
    for (const { id } of left) counts.set(id, await observe(id))
    left = left.filter(({ id, runs }) => (counts.get(id) ?? 0) < runs)
    if (left.length === 0 || performance.now() > end) return counts
  }
}
