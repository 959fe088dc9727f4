import { describe, expect, test } from 'vitest'
import { measureOne, RECEIVERS, sendMany } from '../faults/uploads/chunks.mjs'

const MINUTES = 60_000

/** What V8 keeps of its young generation is part of it; the body itself is one mebibyte. */
const MOST = 32

describe('a body of 1,040,000 chunks of one byte, without a right signature', () => {
  test.runIf(process.platform === 'linux').each(RECEIVERS)(
    'gets 401 and takes less than 32 MiB of memory: %s',
    { timeout: 2 * MINUTES },
    async (kind) => {
      const { status, mebibytes } = await measureOne(kind)
      expect(status).toBe(401)
      expect(mebibytes).toBeLessThan(MOST)
    },
  )

  // The four that read a body in ways of their own.
  test.each(['node', 'hono', 'request', 'listen'])(
    'four of them at once leave a heap of 128 MiB enough for valid deliveries: %s',
    { timeout: 5 * MINUTES },
    async (kind) => {
      const { forged, valid } = await sendMany(kind, { bodies: 4, heap: 128 })
      // 408 on a machine so busy that a body takes too long.
      expect(forged.filter((status) => status !== 401 && status !== 408)).toEqual([])
      expect(valid.length).toBeGreaterThan(1)
      expect(valid.filter((status) => status !== 200 && status !== 204)).toEqual([])
    },
  )
})
