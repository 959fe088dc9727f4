import type { DoctorState } from './doctor.ts'
import type { JournalCounts } from './journal.ts'
import type { ScenarioState } from './scenario.ts'
import type { TargetView } from './targets.ts'

/** What the page knows besides the deliveries. */
export interface State {
  readonly counts: JournalCounts
  readonly targets: readonly TargetView[]
  /** `null` where there is no emulator. */
  readonly scenario: ScenarioState | null
  /** `null` where there is no doctor. */
  readonly doctor: DoctorState | null
  readonly events: readonly string[]
  readonly tamperings: readonly string[]
  readonly faults: readonly string[]
}
