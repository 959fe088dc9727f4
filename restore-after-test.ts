import { afterEach, vi } from 'vitest'

afterEach(() => {
  // Before the clock: a spy on a timer gives back what it replaced.
  vi.restoreAllMocks()
  vi.useRealTimers()
  vi.unstubAllEnvs()
  vi.unstubAllGlobals()
})
