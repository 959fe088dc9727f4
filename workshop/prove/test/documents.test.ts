import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { DOCS } from '../documents/code-blocks.mjs'

const ROOT = join(DOCS, '..')

test('what is run by npx is the command by the name of its package, and nothing is left of another name', () => {
  const manifest = JSON.parse(readFileSync(join(ROOT, 'packages/cli/package.json'), 'utf8'))
  expect([manifest.name, Object.keys(manifest.bin)]).toEqual([
    'webhook-receiver',
    ['webhook-receiver'],
  ])
  const files = execFileSync('git', ['grep', '-lE', 'npx |webhook-receiver/cli'], { cwd: ROOT })
  const texts = String(files)
    .trim()
    .split('\n')
    .map((name) => readFileSync(join(ROOT, name), 'utf8'))
  const run = texts.flatMap(
    (text) => text.match(/(?<=npx (?:-y )?)@?webhook-receiver[\w/-]*/g) ?? [],
  )
  expect(new Set(run)).toEqual(new Set([manifest.name]))
  const scoped = ['@webhook-receiver', 'cli'].join('/')
  expect(texts.filter((text) => text.match(new RegExp(`${scoped}\\b`)))).toEqual([])
})
