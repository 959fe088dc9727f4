import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const PACKAGES = fileURLToPath(new URL('../../', import.meta.url))

/** Suites run in tests, which set their own clocks. */
const SUITES = ['conformance', 'suites']

test('every default clock is read when it is called, so that fake timers reach what was created before them', () => {
  const sources = readdirSync(PACKAGES)
    .filter((name) => !SUITES.includes(name))
    .flatMap((name) => {
      const folder = join(PACKAGES, name, 'src')
      const files = readdirSync(PACKAGES.concat(name)).includes('src')
        ? readdirSync(folder, { recursive: true, encoding: 'utf8' })
        : []
      return files.filter((file) => file.endsWith('.ts')).map((file) => join(folder, file))
    })
  const taken = sources.filter((file) =>
    /[=?:,[(]\s*Date\.now(?!\()/.test(readFileSync(file, 'utf8')),
  )
  expect(sources.length).toBeGreaterThan(100)
  expect(taken).toEqual([])
})
