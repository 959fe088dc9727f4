import { expect, test } from 'vitest'
import { files, read } from './documents.ts'

/** The sources of all packages, but for those of the suites, which run in tests that set their own clocks. */
const sources = files.filter((file) => /^packages\/(?!conformance\/)[^/]+\/src\/.*\.ts$/.test(file))

test('every default clock is read when it is called, so that fake timers reach what was created before them', async () => {
  const taken: string[] = []
  for (const file of sources) {
    if (/[=?:,[(]\s*Date\.now(?!\()/.test(await read(file))) taken.push(file)
  }
  expect(sources.length).toBeGreaterThan(100)
  expect(taken).toEqual([])
})
