import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { loadVectors } from '../src/index.ts'

const folder = mkdtempSync(join(tmpdir(), 'vectors-'))
afterAll(() => rmSync(folder, { recursive: true }))

const [bundled] = loadVectors('')
const python = spawnSync('python3', ['--version']).status === 0

test.skipIf(!python)('the vectors are what the generator makes', () => {
  const script = fileURLToPath(new URL('../generator/generate.py', import.meta.url))
  const { status, stderr } = spawnSync('python3', [script, '--check'], { encoding: 'utf8' })
  expect(stderr).toBe('')
  expect(status).toBe(0)
})

test('every case has an id of its own, and the counts are right', () => {
  const cases = bundled?.cases ?? []
  expect(new Set(cases.map(({ id }) => id)).size).toBe(cases.length)
  const groups: Record<string, number> = { total: cases.length }
  for (const { group } of cases) groups[group] = (groups[group] ?? 0) + 1
  expect(bundled?.counts).toEqual(groups)
})

test('the README has the counts', () => {
  const cases = bundled?.cases ?? []
  const withoutStore = cases.filter((found) => !found.needs_store)
  const calls = withoutStore.reduce((sum, found) => sum + (found.handler_calls ?? 0), 0)
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
  expect(readme).toContain(`**${cases.length} cases**`)
  expect(readme).toContain(`: ${withoutStore.length} cases run, 0 wrong, `)
  expect(readme).toContain(`handler calls ${calls} expected, ${calls} observed`)
})

test('files that are listed are read after the bundled one', () => {
  const files = ['one', 'two'].map((title) => {
    const file = join(folder, `${title}.json`)
    writeFileSync(file, JSON.stringify({ ...bundled, title, cases: [] }))
    return file
  })
  const titles = loadVectors(files.join(delimiter)).map(({ title }) => title)
  expect(titles).toEqual([bundled?.title, 'one', 'two'])
})

test('a file of another format is a TypeError', () => {
  const file = join(folder, 'other.json')
  writeFileSync(file, '{"format":2,"cases":[]}')
  expect(() => loadVectors(file)).toThrow(TypeError)
})
