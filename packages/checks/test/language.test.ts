import { execFileSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { read, root } from './documents.ts'
import { findForbidden } from './forbidden-language.ts'

// The list itself and its tests.
const QUOTED = [
  'packages/checks/test/forbidden-language.ts',
  'packages/checks/test/language.test.ts',
]

const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  .filter((name) => /\.(?:md|ts|mts|cts|tsx|js|mjs|cjs|py|ya?ml)$/.test(name))
  .filter((name) => !name.endsWith('pnpm-lock.yaml') && !QUOTED.includes(name))

test('the forbidden language is looked for in documents, sources and workflows', () => {
  expect(files).toEqual(
    expect.arrayContaining(['README.md', 'packages/core/src/index.ts', '.github/workflows/ci.yml']),
  )
})

test('documents, comments and messages have none of the forbidden phrases and names', async () => {
  const found: string[] = []
  for (const name of files) {
    // A file that was deleted and not yet committed is still listed.
    const text = await read(name).catch(() => '')
    const isCode = !/\.(?:md|py|ya?ml)$/.test(name)
    const isDocument = name.endsWith('.md')
    const places = findForbidden(text, { isCode, isDocument })
    found.push(...places.map((place) => `${name}:${place}`))
  }
  expect(found).toEqual([])
})

describe('findForbidden', () => {
  test('names the line, the phrase and what to write', () => {
    expect(findForbidden('one\n`onRejected` is told of it', { isCode: false })).toEqual([
      '2: "told of": write "called for, or informed about"',
    ])
  })

  test.each([
    ['in two lines of a comment', '/**\n * The hook is told\n * of each.\n */'],
    ['in two lines of a paragraph', 'The hook is told\nof each.'],
    ['in a string', "fail('the hook is told of it')"],
    ['in another letter case', 'Told of each rejection.'],
  ])('finds a phrase %s', (_, text) => {
    expect(findForbidden(text, { isCode: false })).toHaveLength(1)
  })

  test('finds another word for one thing in a document, and not in its code', () => {
    const options = { isCode: false, isDocument: true }
    expect(findForbidden('It refuses with 401.', options)).toEqual(['1: "refuses": write "reject"'])
    expect(findForbidden('`refuses`\n```ts\nconst refuses = 1\n```\n', options)).toEqual([])
    expect(findForbidden('It refuses with 401.', { isCode: false })).toEqual([])
  })

  test('finds no phrase inside other words', () => {
    expect(
      findForbidden('He marshalled the coupons, then henceforward nothing.', { isCode: true }),
    ).toEqual([])
  })

  test('finds an identifier in code, and not in prose', () => {
    expect(findForbidden('const told = 1', { isCode: true })).toHaveLength(1)
    expect(findForbidden("// told\nconst a = 'told'", { isCode: true })).toEqual([])
    expect(findForbidden('told', { isCode: false })).toEqual([])
  })
})
