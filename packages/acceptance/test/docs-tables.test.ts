import { CODES, createReceiver, DEFAULTS, REASONS } from '@webhook-receiver/core'
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
      ([reason, status]) => `${status} ${CODES[status]} ${reason}`,
    )
    expect(found.sort()).toEqual([...codes, ...reasons].sort())
  })
})

describe('README.md', () => {
  test('has a row for each reason, with its status and code', async () => {
    const rows = (await read('README.md')).matchAll(/^\| (\d{3}) \| `(\w+)` \| \[`(\w+)`\]/gm)
    expect(
      [...rows].map(([, status, code, reason]) => `${status} ${code} ${reason}`).sort(),
    ).toEqual(
      Object.entries(REASONS)
        .map(([reason, status]) => `${status} ${CODES[status]} ${reason}`)
        .sort(),
    )
  })

  test('has a row for each option, with its default', async () => {
    const section = (await read('README.md')).split('\n## Options\n')[1]?.split('\n## ')[0] ?? ''
    const rows = [...section.matchAll(/^\| `(\w+)` \|[^|]*\|\s*`?([^|`]*?)`?\s*\|/gm)]
    const refusal = () => Reflect.apply(createReceiver, undefined, ['whsec_x', { nonsense: 1 }])
    expect(refusal).toThrow(`The options are: ${rows.map(([, name]) => name).join(', ')}.`)
    const stated = Object.fromEntries(rows.map(([, name, value]) => [name, value]))
    expect(stated).toMatchObject({
      tolerance: String(DEFAULTS.tolerance),
      schemaMismatch: `'${DEFAULTS.schemaMismatch}'`,
    })
    expect(Number(stated.limit?.replaceAll('_', ''))).toBe(DEFAULTS.limit)
  })
})
