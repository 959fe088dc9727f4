import { setTimeout as sleep } from 'node:timers/promises'
import { conversation, type Emulator, type Fault } from '@webhook-receiver/emulator'

export interface ScenarioSettings {
  /** Events per second. @default 5 */
  readonly rate?: number | undefined
  /** How many events. @default until it is stopped */
  readonly count?: number | undefined
  /** Out of which faults each delivery may have one. @default those of the emulator */
  readonly faults?: readonly Fault[] | undefined
  /** The share of deliveries that have one of `faults`, from 0 to 1. @default 0.25 */
  readonly faultRate?: number | undefined
}

export interface ScenarioState {
  readonly running: boolean
  readonly sent: number
  readonly settings: ScenarioSettings
}

/** How many events may be on their way before the next one waits. */
const MAX_UNDER_WAY = 100

/** Sends conversations at a rate. `onEvent` is called for each event. */
export async function runScenario(
  emulator: Emulator<string>,
  { rate = 5, count = Number.POSITIVE_INFINITY, faults, faultRate = 0.25 }: ScenarioSettings,
  signal: AbortSignal,
  onEvent: () => void,
): Promise<void> {
  const begun = performance.now()
  const pending = new Set<Promise<unknown>>()
  let sent = 0
  for await (const { event, data, instanceId } of conversation({
    rounds: Number.POSITIVE_INFINITY,
  })) {
    const pause = begun + (sent * 1000) / rate - performance.now()
    if (pause > 0) await sleep(pause, undefined, { signal }).catch(() => {})
    if (signal.aborted || sent >= count) break
    const fault = faults && chosenFault(faults, faultRate)
    const emitted: Promise<unknown> = emulator
      .emit(event, data, { instanceId, fault })
      .catch(() => {})
      .finally(() => pending.delete(emitted))
    pending.add(emitted)
    sent += 1
    onEvent()
    if (pending.size >= MAX_UNDER_WAY) await Promise.race(pending)
  }
  await Promise.all(pending)
}

function chosenFault(faults: readonly Fault[], rate: number): Fault | 'none' {
  if (Math.random() >= rate) return 'none'
  return faults[Math.floor(Math.random() * faults.length)] ?? 'none'
}
