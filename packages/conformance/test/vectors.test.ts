import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, test } from 'vitest'
import { loadVectors } from '../src/index.ts'
import type { VectorBody, VectorCase } from '../src/vectors.ts'

const folder = mkdtempSync(join(tmpdir(), 'vectors-'))
afterAll(() => rmSync(folder, { recursive: true }))

const [bundled] = loadVectors('')
const python = spawnSync('python3', ['--version']).status === 0

describe.skipIf(!python)('check.py', () => {
  const vectors = fileURLToPath(new URL('../vectors/', import.meta.url))

  test('finds every signature as the vectors need it', () => {
    const { status, stdout } = spawnSync('python3', ['check.py'], {
      cwd: vectors,
      encoding: 'utf8',
    })
    expect(stdout).toMatch(/^\d{3} requests are signed, \d{3} are not, 0 are wrong\n$/)
    expect(status).toBe(0)
  })

  test('names a case whose signature is wrong, and one whose signature must not be right', () => {
    copyFileSync(join(vectors, 'check.py'), join(folder, 'check.py'))
    const cases = bundled?.cases.map((found) =>
      found.id === 'genuine-message-sent' || found.id === 'key-other'
        ? { ...found, headers: signedFor(found.id === 'key-other' ? found.body : { text: '{}' }) }
        : found,
    )
    writeFileSync(join(folder, 'cases.json'), JSON.stringify({ ...bundled, cases }))
    const { status, stdout } = spawnSync('python3', ['check.py'], { cwd: folder, encoding: 'utf8' })
    expect(stdout).toContain(
      'genuine-message-sent must have a right signature, and it is not right',
    )
    expect(stdout).toContain('key-other must be rejected for its signature, and that is right')
    expect(status).toBe(1)
  })

  function signedFor(body: VectorBody): VectorCase['headers'] {
    const text = 'text' in body ? body.text : ''
    const { stdout } = spawnSync('python3', ['check.py', 'sign', text], {
      cwd: vectors,
      encoding: 'utf8',
    })
    return JSON.parse(stdout)
  }
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
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
  expect(readme).toContain(`${cases.length} test vectors`)
  expect(readme).toContain(`adds ${cases.filter((found) => found.needs_store).length} cases`)
})
