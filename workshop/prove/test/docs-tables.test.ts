import { CODES, REASONS } from '@webhook-receiver/core/internal'
import { expect, test } from 'vitest'
import { read } from './documents.ts'

const reasons = Object.entries(REASONS)
const errors = await read('docs/errors.md')
const verification = await read('docs/how-it-works/verification.md')

test('docs/errors.md has one heading for each reason, under one with its status and code, or with them as its first words', () => {
  const found: string[] = []
  let common: string | undefined
  for (const [, title, reason, lead] of errors.matchAll(
    /^## (.*)$|^### `(\w+)`$(?:\n\n(\d{3}, code `\w+`)\.)?/gm,
  )) {
    if (title === undefined) found.push(`${lead ?? common} ${reason}`)
    else common = title.replace(/^`(\w+)` \((\d{3})\)$/, '$2, code `$1`')
  }
  const wanted = reasons.map(([name, { status }]) => `${status}, code \`${CODES[status]}\` ${name}`)
  expect(found.sort()).toEqual(wanted.sort())
})

const table = [...errors.matchAll(/^\| (\d{3}) \| (.*) \|$/gm)].flatMap(([, status, links = '']) =>
  [...links.matchAll(/\[`(\w+)`\]\(#\1\)/g)].map(([, reason]) => `${status} ${reason}`),
)
const steps = verification.match(/^\| \d+ \|.*$/gm)?.join('\n') ?? ''
// Where no receiver stands in front, there are no steps.
const stepped = [...steps.matchAll(/\b(\d{3}) `(\w+)`/g), ['', '500', 'delivery_missing']]

test.each([
  ['docs/errors.md', table],
  ['docs/how-it-works/verification.md', stepped.map(([, ...row]) => row.join(' '))],
])('%s has each reason behind its status', (_document, found) => {
  const stated = reasons.map(([reason, { status }]) => `${status} ${reason}`)
  expect([...new Set(found)].sort()).toEqual(stated.sort())
})

test('docs/how-it-works/verification.md says of each status what the service does', () => {
  const rows = verification.matchAll(/^\| (\d{3}[\d, ]*) \|/gm)
  const statuses = [...rows].flatMap(([, list = '']) => list.split(', '))
  expect(statuses.sort()).toEqual(['204', ...Object.keys(CODES)].sort())
})
