import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { DOCS, findBlocks, isSearched } from '../blocks/find.mjs'
import { PAGES, trialsOf } from '../trials/page.mjs'

test('npm run trials follows every page of docs/start', () => {
  const pages = readdirSync(join(DOCS, 'start')).map((file) => file.replace('.md', ''))
  expect([...PAGES].sort()).toEqual(pages.sort())
})

const VARIATIONS: Readonly<Record<string, readonly string[]>> = {
  elysia: ['Bun'],
  nestjs: ['TypeScript'],
  nuxt: ['TypeScript'],
  request: ['Next.js', 'Bun', 'Deno', 'Cloudflare Workers'],
  sveltekit: ['TypeScript'],
}

test.each(PAGES.filter((page) => !VARIATIONS[page]))(
  'docs/start/%s.md leads to a server in TypeScript and in JavaScript',
  (page) => {
    const [typescript, javascript, ...others] = trialsOf(page)
    expect(others).toEqual([])
    const name = page === 'aws-lambda' ? 'function' : 'server'
    expect(typescript).toMatchObject({ variation: 'TypeScript', file: `${name}.ts` })
    expect(javascript).toMatchObject({ variation: 'JavaScript', file: `${name}.js` })
    expect(javascript?.install.join()).not.toContain('typescript')
  },
)

test.each(Object.entries(VARIATIONS))(
  'docs/start/%s.md leads to a server on each platform',
  (page, expected) => {
    const trials = trialsOf(page)
    expect(trials.map(({ variation }) => variation)).toEqual(expected)
    for (const { install } of trials) expect(install.join()).toContain('@webhook-receiver/')
  },
)

test('a page that needs a newer Node says so to its trial', () => {
  expect(trialsOf('nuxt').map(({ node }) => node)).toEqual([22])
  expect(trialsOf('request').map(({ node }) => node)).toEqual([0, 0, 0, 0])
})

test('npm run blocks finds every block that names packages', () => {
  const documents = readdirSync(DOCS, { recursive: true, encoding: 'utf8' })
  const texts = documents.filter(isSearched).map((name) => readFileSync(join(DOCS, name), 'utf8'))
  const fences = texts.join('\n').match(/^```.* needs=/gm) ?? []
  const found = findBlocks().filter(({ needs }) => needs.length > 0)
  expect(found).toHaveLength(fences.length)
  expect(fences.length).toBeGreaterThan(0)
})

test('every block with a receiver or a queue is one that npm run blocks can run', () => {
  const kinds = new Map(findBlocks().map(({ code, kind }) => [code, kind]))
  for (const [code, kind] of kinds) {
    if (code.includes('@webhook-receiver/')) expect(kind, code).toBeDefined()
  }
})
