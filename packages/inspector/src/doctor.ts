import { CommandError } from './command.ts'
import { signingSecret, type Target } from './targets.ts'

/** One probe of an examination, as it stands. */
export interface ExaminedProbe {
  readonly id: string
  readonly group: string
  /** What is sent, and which response is right, in a few words. */
  readonly sends: string
  readonly expects: string
  /** `running` and `waiting` before there is a verdict. */
  readonly verdict: string
  /** A status for each request, or why there is none. */
  readonly observed: readonly string[]
  /** One sentence for each thing that is wrong. */
  readonly problems: readonly string[]
  /** Why it is not observable, or was skipped. */
  readonly note?: string | undefined
}

export interface DoctorReport {
  readonly probes: readonly ExaminedProbe[]
  /** What is wrong, each with all the probes that failed because of it. */
  readonly faults: readonly {
    readonly cause: string
    readonly fix: string
    readonly probes: readonly string[]
  }[]
}

/** Examines a receiver, as `webhook-receiver doctor` does. `onProgress` is called with what is known so far. */
export type RunDoctor = (
  receiver: { readonly url: string; readonly secret: string },
  options: {
    readonly signal: AbortSignal
    readonly onProgress: (probes: readonly ExaminedProbe[]) => void
  },
) => Promise<DoctorReport>

export interface DoctorState extends DoctorReport {
  readonly running: boolean
  /** The id of the target. */
  readonly target?: string
  /** Why it could not be examined. */
  readonly problem?: string
}

export interface Doctor {
  readonly state: () => DoctorState
  /** @throws CommandError if that is impossible now. */
  examine(target: Target | undefined): void
  stop(): void
}

/** Examines one receiver at a time. */
export function createDoctor(run: RunDoctor, onChange: () => void): Doctor {
  let state: DoctorState = { running: false, probes: [], faults: [] }
  let end = new AbortController()

  function update(change: Partial<DoctorState>): void {
    state = { ...state, ...change }
    onChange()
  }

  return {
    state: () => state,
    examine(target) {
      const secret = target && signingSecret(target)
      if (target === undefined || secret === undefined) {
        throw new CommandError('The doctor needs a receiver whose secret is known.')
      }
      if (state.running) throw new CommandError('An examination is running.', 409)
      end = new AbortController()
      state = { running: true, target: target.id, probes: [], faults: [] }
      onChange()
      const onProgress = (probes: readonly ExaminedProbe[]) => update({ probes })
      run({ url: target.url.href, secret }, { signal: end.signal, onProgress }).then(
        (report) => update({ running: false, ...report }),
        (error: Error) => update({ running: false, problem: error.message }),
      )
    },
    stop: () => end.abort(),
  }
}
