import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { DOCS, findBlocks, isSearched } from '../documents/code-blocks.mjs'

const ROOT = join(DOCS, '..')

test('npm run prove -- blocks finds every block that names packages', () => {
  const documents = readdirSync(DOCS, { recursive: true, encoding: 'utf8' })
  const texts = documents.filter(isSearched).map((name) => readFileSync(join(DOCS, name), 'utf8'))
  const fences = texts.join('\n').match(/^```.* needs=/gm) ?? []
  const found = findBlocks().filter(({ needs }) => needs.length > 0)
  expect(found).toHaveLength(fences.length)
  expect(fences.length).toBeGreaterThan(0)
})

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
