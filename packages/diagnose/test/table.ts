import { expect, test } from 'vitest'
import { diagnose } from '../src/index.ts'
import { cases } from './cases.ts'

/** The codes that no equal MAC can stand behind. */
const DOUBTFUL =
  /^(signature_(missing|malformed)|timestamp_missing|body_empty|body_lossy|body_length_changed)$/

export function testTable(backend: string): void {
  test.each(cases)(
    `${backend} names $code first: $what`,
    async ({ code, also, says, what, input }) => {
      const [first, ...others] = await diagnose(input)
      expect([first.code, first.also]).toEqual([code, also])
      expect(first.message).toContain(says)
      const doubtful = DOUBTFUL.test(code) || what === 'Content-Encoding came'
      expect(first.certainty).toBe(doubtful ? 'possible' : 'certain')
      expect(first.message.includes('possibly')).toBe(
        doubtful && !/_(missing|malformed)$/.test(code),
      )
      if (!doubtful) expect(others).toEqual([])
    },
  )
}
