import { conversation, type Emulator, type ScenarioStep } from '@webhook-receiver/emulator'
import { CommandError, type ScenarioSettings } from './command.ts'

export interface ScenarioState {
  readonly running: boolean
  readonly sent: number
  readonly settings: ScenarioSettings
}

export interface Scenario {
  readonly state: () => ScenarioState
  /**
   * Sends conversations; resolves at the end.
   *
   * @throws CommandError, at once, while another one is running.
   */
  run(settings: ScenarioSettings): Promise<void>
  stop(): void
}

/** Runs one scenario of an emulator at a time. */
export function createScenario(emulator: Emulator<string>, onChange: () => void): Scenario {
  let state: ScenarioState = { running: false, sent: 0, settings: {} }
  let end = new AbortController()

  function update(change: Partial<ScenarioState>): void {
    state = { ...state, ...change }
    onChange()
  }

  async function* steps({ faults, faultRate = 0.25 }: ScenarioSettings) {
    let sent = 0
    for await (const step of conversation({ rounds: Number.POSITIVE_INFINITY })) {
      const chosen = faults?.[Math.floor(Math.random() * faults.length)]
      const fault = Math.random() < faultRate ? chosen : undefined
      yield { ...step, fault: faults && (fault ?? 'none') } satisfies ScenarioStep
      sent += 1
      update({ sent })
    }
  }

  return {
    state: () => state,
    run(settings) {
      if (state.running) throw new CommandError('A scenario is running.', 409)
      end = new AbortController()
      update({ running: true, sent: 0, settings })
      const { rate, count } = settings
      return emulator.run(steps(settings), { rate, count, signal: end.signal }).then(
        ({ emitted }) => update({ running: false, sent: emitted }),
        () => update({ running: false }),
      )
    },
    stop: () => end.abort(),
  }
}
