import faults from './faults.json' with { type: 'json' }

/** The faults of a receiver: of each its likely cause and the fix. */
export const FAULTS: typeof faults = faults

/** The code of a fault. */
export type Fault = keyof typeof faults
