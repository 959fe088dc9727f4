import { checkValue, numberRule, wait } from '@webhook-receiver/core/internal'
import type { DeliveryReport } from '../deliveries/report.ts'
import type { ScenarioStep } from './scenario.ts'

export interface RunOptions {
  /**
   * Events per second. Anything but a number above 0 and up to 1000 is a TypeError.
   * @default 5
   */
  readonly rate?: number | undefined
  /**
   * After how many events to end. Anything but a number from 0 is a TypeError.
   * @default Infinity, which is all that the scenario has
   */
  readonly count?: number | undefined
  /** Emits no more when it is aborted. What is on its way is brought to its outcome. */
  readonly signal?: AbortSignal | undefined
}

/** How many events were emitted, and how many deliveries had which outcome. */
export interface RunSummary {
  readonly emitted: number
  readonly delivered: number
  readonly rejected: number
  readonly exhausted: number
  readonly stopped: number
}

/** How many events may be on their way before the next one waits for one of them. */
const MAX_UNDER_WAY = 100

/** Emits a scenario at a pace, and resolves when the last delivery has its outcome. */
export async function runScenario<Event extends string>(
  scenario: AsyncIterable<ScenarioStep<Event>> | Iterable<ScenarioStep<Event>>,
  options: RunOptions,
  emit: (step: ScenarioStep<Event>) => Promise<readonly DeliveryReport[]>,
  life: AbortSignal,
): Promise<RunSummary> {
  const { rate = 5, count = Number.POSITIVE_INFINITY, signal } = options
  checkValue('rate', rate, RATE)
  checkValue('count', count, COUNT)
  const end = signal ? AbortSignal.any([life, signal]) : life
  const summary = { emitted: 0, delivered: 0, rejected: 0, exhausted: 0, stopped: 0 }
  const pending = new Set<Promise<void>>()
  const begun = performance.now()
  let failure: { readonly error: unknown } | undefined
  if (count > 0) {
    for await (const step of scenario) {
      await wait(begun + (summary.emitted * 1000) / rate - performance.now(), end)
      if (end.aborted || failure) break
      const emitted = emit(step).then(
        (reports) => {
          for (const { outcome } of reports) if (outcome !== 'pending') summary[outcome] += 1
        },
        (error) => {
          failure = { error }
        },
      )
      const tracked: Promise<void> = emitted.finally(() => pending.delete(tracked))
      pending.add(tracked)
      summary.emitted += 1
      if (summary.emitted >= count) break
      if (pending.size >= MAX_UNDER_WAY) await Promise.race(pending)
    }
  }
  await Promise.all(pending)
  if (failure) throw failure.error
  return summary
}

const RATE = numberRule({ unit: 'events per second', above: 0, to: 1000 })

const COUNT = numberRule({ unit: 'events', from: 0, infinity: true })
