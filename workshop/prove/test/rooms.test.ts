import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { files, read } from './documents.ts'

/** The rooms of core and the files at its top. Each imports from those in front of it and from itself, and from nothing else. */
const CORE: readonly string[] = [
  'copies',
  'validate',
  'async',
  'reject',
  'verify',
  'parse',
  'contract',
  'service-delivery.ts',
  'delivery.ts',
  'verification.ts',
  'request',
  'hooks.ts',
  'public-url.ts',
  'quarantine.ts',
  'options.ts',
  'option-rules.ts',
  'settings.ts',
  'observe',
  'store',
  'handling',
  'run',
  'delivery-handling.ts',
  'delivery-handler.ts',
  'queue',
  'receiver.ts',
  'forward-errors.ts',
  'webhook-handling.ts',
  'request-handler.ts',
  'adapter-form.ts',
  'adapter-handler.ts',
  'adapter-middleware.ts',
  'testing',
  'index.ts',
  'adapter.ts',
  'stores.ts',
  'internal.ts',
]

/** What opens files or servers, or runs on a developer's machine. It may import any module of Node. */
const NEEDS_NODE = ['cli', 'conformance', 'emulator', 'inspector', 'quarantine', 'sqlite']

/** What only tests and `npx` load. */
const NOT_AT_START = ['packages/node/src/post.ts', 'packages/schemes/src/read-service.ts']

const CHEAP = ['node:crypto', 'node:diagnostics_channel']

const sources = files.filter((file) => /^packages\/[^/]+\/src\/.*\.ts$/.test(file))

test('no file of core imports from a room that comes later, not even a type', async () => {
  const rankOf = (path: string) => CORE.indexOf(path.split('/')[3] ?? '')
  const wrong: string[] = []
  for (const file of sources.filter((name) => name.startsWith('packages/core/'))) {
    for (const [, path = ''] of (await read(file)).matchAll(/\b(?:from|import\() ?'(\.[^']+)'/g)) {
      const [from, to] = [rankOf(file), rankOf(join(dirname(file), path))]
      if (from < to || from < 0 || to < 0) wrong.push(`${file} imports ${path}`)
    }
  }
  expect(wrong).toEqual([])
})

test('only cheap modules of Node are loaded, because a function waits for them at each cold start', async () => {
  const costly: string[] = []
  for (const file of sources) {
    if (NEEDS_NODE.includes(file.split('/')[1] ?? '') || NOT_AT_START.includes(file)) continue
    for (const [, id = ''] of (await read(file)).matchAll(
      /^import (?!type\b)[^']*'(node:[^']+)'/gm,
    )) {
      if (!CHEAP.includes(id)) costly.push(`${file} imports ${id}`)
    }
  }
  expect(sources.length).toBeGreaterThan(300)
  expect(costly, 'a package that cannot do without is named in NEEDS_NODE').toEqual([])
})
