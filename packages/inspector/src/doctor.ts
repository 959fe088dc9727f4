/** One probe of an examination, as it stands. */
export interface ExaminedProbe {
  readonly id: string
  readonly group: string
  /** What is sent, and which answer is right, in a few words. */
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
  readonly diagnoses: readonly {
    readonly cause: string
    readonly fix: string
    readonly probes: readonly string[]
  }[]
}

/** Examines a receiver, such as `webhook-receiver doctor` does. `onProgress` is called with what is known so far. */
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
  readonly target: string | undefined
  /** Why it could not be examined. */
  readonly problem: string | undefined
}

export const NO_EXAMINATION: DoctorState = {
  running: false,
  target: undefined,
  problem: undefined,
  probes: [],
  diagnoses: [],
}
