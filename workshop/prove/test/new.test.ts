import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { signedCases } from '../judges/cases.mjs'
import { LISTED_IN } from '../lists.mjs'
import { root } from './documents.ts'

/** What is not in git. */
const IGNORED = /\/(node_modules|dist|\.tsc)(\/|$)/

const program = join(root, 'workshop/new.mjs')
const value = 'packages/schemes/src/services/mux.ts'
const file = 'packages/schemes/services/mux.json'

/** Runs it in a repository that has one service and what `paths` name. */
function runIn(paths: readonly string[], ...args: string[]) {
  const folder = mkdtempSync(join(tmpdir(), 'new-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  for (const path of [value, file, ...listsOf('service'), ...paths]) {
    cpSync(join(root, path), join(folder, path), {
      recursive: true,
      filter: (from) => !IGNORED.test(from),
    })
  }
  execFileSync('git', ['init', '-q', folder])
  execFileSync('git', ['add', '.'], { cwd: folder })
  const options = { cwd: folder, encoding: 'utf8' } as const
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], options)
  const read = (path: string) => readFileSync(join(folder, path), 'utf8')
  return { status, stdout, stderr, read, has: (path: string) => existsSync(join(folder, path)) }
}

function listsOf(...kinds: string[]) {
  return kinds.flatMap((kind) => Object.keys(LISTED_IN[kind] ?? {}))
}

test('a new service has the files of its neighbour, without its facts, and is in the lists', () => {
  const { status, stdout, read } = runIn([], 'service', 'two-words', 'mux')
  expect(status).toBe(0)
  const made = read('packages/schemes/src/services/two-words.ts')
  expect(made).toContain("export const twoWords: DefinedScheme<ServiceKind<'two-words',")
  expect(made).toContain("title: 'Two Words'")
  expect(made).toContain("checked: ''")
  expect(made + read('packages/schemes/services/two-words.json')).not.toMatch(/https:\/\/\w/)
  expect(read('packages/schemes/src/index.ts')).toContain(
    "export { twoWords } from './services/two-words.ts'\n",
  )
  expect(stdout).toMatch(/judges\/sdks\.mjs:\d+, beside mux: \{\n/)
  expect(stdout).toContain('npm run prove -- judges --only two-words --write')
})

test.each([
  ['adapter', 'koa', ['packages/koa', 'examples/koa'], ['package', 'adapter', 'framework']],
  ['store', 'dynamodb', ['packages/dynamodb', 'workshop/prove/dynamodb.mjs'], ['package', 'store']],
])(
  'a new %s is in every list, or the line that lacks it is printed',
  (kind, like, files, lists) => {
    const { status, stdout, read } = runIn([...files, ...listsOf(...lists)], kind, 'oak', like)
    expect(status).toBe(0)
    expect(JSON.parse(read('packages/oak/package.json')).name).toBe('@webhook-receiver/oak')
    const places = lists.flatMap((list) => Object.entries(LISTED_IN[list] ?? {}))
    const left = [...stdout.matchAll(/^- (\S+):\d+, beside \S/gm)].map(([, path]) => path)
    expect(left).not.toHaveLength(places.length)
    for (const [path, words] of places) {
      if (path.endsWith('.json')) expect(() => JSON.parse(read(path)), path).not.toThrow()
      if (!left.includes(path))
        expect(read(path).toLowerCase(), path).toContain(words('oak').toLowerCase())
    }
    expect(stdout).toContain('npx tsc -b packages/oak')
    expect(stdout).toContain('packages/oak/package.json, before you install')
    expect(stdout).not.toContain('NAME')
  },
)

test.each([
  [['service', 'mux', 'mux'], 'packages/schemes/src/services/mux.ts is there already.'],
  [['service', 'two-words', 'nobody'], 'There is no service nobody.'],
  [['service', '../x'], 'npm run new -- adapter|service|store NAME [LIKE]'],
  [['store', 'Two'], 'npm run new -- adapter|service|store NAME [LIKE]'],
])('%j writes nothing and says why', (args, message) => {
  const { status, stderr, has } = runIn([], ...args)
  expect([status, stderr]).toEqual([1, expect.stringContaining(message)])
  expect(has('packages/schemes/src/services/two-words.ts')).toBe(false)
})

test.each([
  [[{ pointer: '/event/id' }], { id: expect.any(String) }],
  [[{ header: 'x-id' }], undefined],
  [[{ pointer: '/event/id' }, { header: 'x-id' }], undefined],
])(
  'what is recorded of a service with its id at %j has one where only the body can',
  (id, event) => {
    const [plain] = signedCases({ name: 'acme-pay', value: { id } })
    expect(JSON.parse(`${plain?.body}`).event).toEqual(event)
  },
)
