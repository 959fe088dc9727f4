/** Whether only a part of the slow suites runs: in CI, which runs all of them once a week with EVERYTHING. */
export const PART = process.env.CI === 'true' && process.env.EVERYTHING === undefined
