import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { DOCS, findBlocks, isSearched } from '../documents/code-blocks.mjs'
import { FRAMEWORKS, trialsOf } from '../documents/start-page.mjs'

const VARIATIONS: Readonly<Record<string, readonly string[]>> = {
  NestJS: ['TypeScript'],
  'Next.js': ['TypeScript'],
  SvelteKit: ['TypeScript'],
  Nuxt: ['TypeScript'],
  Elysia: ['Bun'],
  'Bun and Deno': ['Bun', 'Deno'],
  Workers: ['TypeScript'],
}

test('docs/start.md has a section for each framework', () => {
  expect(FRAMEWORKS).toEqual(expect.arrayContaining(['Express', ...Object.keys(VARIATIONS)]))
})

test.each(FRAMEWORKS)('docs/start.md leads to a server on %s', (framework) => {
  const trials = trialsOf(framework)
  const expected = VARIATIONS[framework] ?? ['TypeScript', 'JavaScript']
  expect(trials.map(({ variation }) => variation)).toEqual(expected)
  for (const { variation, file, install } of trials) {
    expect(install.join()).toContain('@webhook-receiver/')
    const isJavaScript = variation === 'JavaScript'
    expect(file).toMatch(isJavaScript ? /\.js$/ : /\.ts$/)
    if (isJavaScript) expect(install.join()).not.toContain('typescript')
  }
})

test('a section that needs a newer Node says so to its trial', () => {
  expect(trialsOf('Nuxt').map(({ node }) => node)).toEqual([22])
  expect(trialsOf('Next.js').map(({ node }) => node)).toEqual([0])
})

test('npm run prove -- blocks finds every block that names packages', () => {
  const documents = readdirSync(DOCS, { recursive: true, encoding: 'utf8' })
  const texts = documents.filter(isSearched).map((name) => readFileSync(join(DOCS, name), 'utf8'))
  const fences = texts.join('\n').match(/^```.* needs=/gm) ?? []
  const found = findBlocks().filter(({ needs }) => needs.length > 0)
  expect(found).toHaveLength(fences.length)
  expect(fences.length).toBeGreaterThan(0)
})
