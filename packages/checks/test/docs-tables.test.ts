import { execFileSync } from 'node:child_process'
import { CODES, REASONS } from '@webhook-receiver/core/internal'
import { describe, expect, test } from 'vitest'
import { read } from './documents.ts'

describe('docs/errors.md', () => {
  test('has one heading for each code with its status, and one for each reason under its code', async () => {
    const found: string[] = []
    let code = ''
    for (const [, level, name, status] of (await read('docs/errors.md')).matchAll(
      /^(##+) `(\w+)`(?: \((\d+)\))?$/gm,
    )) {
      if (level === '##') {
        code = `${status} ${name}`
        found.push(code)
      } else {
        found.push(`${code} ${name}`)
      }
    }
    const codes = Object.entries(CODES).map(([status, code]) => `${status} ${code}`)
    const reasons = Object.entries(REASONS).map(
      ([reason, { status }]) => `${status} ${CODES[status]} ${reason}`,
    )
    expect(found.sort()).toEqual([...codes, ...reasons].sort())
  })
})

describe('the tables of the documents', () => {
  test('docs/errors.md has a row for each reason, with its status', async () => {
    const rows = (await read('docs/errors.md')).matchAll(/^\| \[`(\w+)`\]\(#\1\) (\d{3}) \|/gm)
    expect([...rows].map(([, reason, status]) => `${status} ${reason}`).sort()).toEqual(
      Object.entries(REASONS)
        .map(([reason, { status }]) => `${status} ${reason}`)
        .sort(),
    )
  })
})

describe('docs/how-it-works/verification.md', () => {
  test('has a step for each reason, with its status', async () => {
    const text = await read('docs/how-it-works/verification.md')
    const steps = [...text.matchAll(/^\| \d+ \|.*$/gm)].join('\n')
    const found = [...steps.matchAll(/\b(\d{3}) `(\w+)`/g)].map(
      ([, status, reason]) => `${status} ${reason}`,
    )
    // Where no receiver stands in front, there are no steps.
    const { delivery_missing, ...reasons } = REASONS
    const stated = Object.entries(reasons).map(([reason, { status }]) => `${status} ${reason}`)
    expect([...new Set(found)].sort()).toEqual(stated.sort())
  })
})

describe('README.md', async () => {
  const readme = await read('README.md')

  test('has at most 130 lines', () => expect(readme.split('\n').length).toBeLessThanOrEqual(131))

  test('shows a signature that openssl computes', () => {
    const [, command = '', shown] =
      /^(printf .* openssl dgst .*)\n# ([0-9a-f]{64})$/m.exec(readme) ?? []
    expect(execFileSync('sh', ['-c', command], { encoding: 'utf8' })).toContain(`${shown}\n`)
  })
})
