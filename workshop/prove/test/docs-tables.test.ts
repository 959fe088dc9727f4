import { CODES, REASONS } from '@webhook-receiver/core/internal'
import { expect, test } from 'vitest'
import { read } from './documents.ts'

const stated = Object.entries(REASONS).map(([reason, { status }]) => `${status} ${reason}`)

test('docs/errors.md has one heading for each reason, under one with its status and code, or with them as its first words', async () => {
  const found: string[] = []
  let common: string | undefined
  for (const [, title, reason, lead] of (await read('docs/errors.md')).matchAll(
    /^## (.*)$|^### `(\w+)`$(?:\n\n(\d{3}, code `\w+`)\.)?/gm,
  )) {
    if (title !== undefined) {
      common = title.replace(/^`(\w+)` \((\d{3})\)$/, '$2, code `$1`')
      continue
    }
    found.push(`${lead ?? common} ${reason}`)
  }
  const reasons = Object.entries(REASONS).map(
    ([reason, { status }]) => `${status}, code \`${CODES[status]}\` ${reason}`,
  )
  expect(found.sort()).toEqual(reasons.sort())
})

test('docs/errors.md begins with each reason behind its status', async () => {
  const rows = (await read('docs/errors.md')).matchAll(/^\| (\d{3}) \| (.*) \|$/gm)
  const found = [...rows].flatMap(([, status, links = '']) =>
    [...links.matchAll(/\[`(\w+)`\]\(#\1\)/g)].map(([, reason]) => `${status} ${reason}`),
  )
  expect(found.sort()).toEqual(stated.sort())
})

test('docs/how-it-works/verification.md has a step for each reason, with its status', async () => {
  const steps = (await read('docs/how-it-works/verification.md')).match(/^\| \d+ \|.*$/gm) ?? []
  const found = [...steps.join('\n').matchAll(/\b(\d{3}) `(\w+)`/g)]
  // Where no receiver stands in front, there are no steps.
  const expected = stated.filter((row) => !row.endsWith(' delivery_missing'))
  const rows = found.map(([, status, reason]) => `${status} ${reason}`)
  expect([...new Set(rows)].sort()).toEqual(expected.sort())
})

test('docs/how-it-works/verification.md says of each status what the service does', async () => {
  const rows = (await read('docs/how-it-works/verification.md')).matchAll(/^\| (\d{3}[\d, ]*) \|/gm)
  const statuses = [...rows].flatMap(([, list = '']) => list.split(', '))
  expect(statuses.sort()).toEqual(['204', ...Object.keys(CODES)].sort())
})
