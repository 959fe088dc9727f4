import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { signedCases } from '../judges/cases.mjs'
import { LISTED_IN } from '../lists.mjs'
import { root } from './documents.ts'

/** What is not in git. */
const IGNORED = /\/(node_modules|dist|\.tsc)(\/|$)/

/** What names adapters and stores besides the lists. */
const ELSEWHERE = [
  '.github/workflows/long.yml',
  'pnpm-workspace.yaml',
  'workshop/break/package.json',
  'workshop/prove/lists.mjs',
]

const program = join(root, 'workshop/new.mjs')
const value = 'packages/schemes/src/services/mux.ts'
const file = 'packages/schemes/services/mux.json'

/** Runs it in a repository that has one service and what `paths` name, with an npm that has the `versions`. */
function runIn(
  paths: readonly string[],
  versions: Readonly<Record<string, unknown>>,
  args: readonly string[],
) {
  const folder = mkdtempSync(join(tmpdir(), 'new-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  for (const path of [value, file, ...Object.keys(LISTED_IN.service ?? {}), ...paths]) {
    cpSync(join(root, path), join(folder, path), {
      recursive: true,
      filter: (from) => !IGNORED.test(from),
    })
  }
  execFileSync('git', ['init', '-q', folder])
  execFileSync('git', ['add', '.'], { cwd: folder })
  const cases = Object.entries(versions).map(
    ([name, version]) => `${name}) echo '${JSON.stringify(version)}';;`,
  )
  writeFileSync(
    join(folder, 'npm'),
    `#!/bin/sh\ncase "$2" in ${cases.join(' ')} *) exit 1;; esac\n`,
    {
      mode: 0o755,
    },
  )
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, PATH: `${folder}:${process.env.PATH}` },
  })
  const read = (path: string) => readFileSync(join(folder, path), 'utf8')
  return { status, stdout, stderr, read, has: (path: string) => existsSync(join(folder, path)) }
}

const run = (...args: string[]) => runIn([], {}, args)

test('a new service has the files of its neighbour, without its facts, and is in the lists', () => {
  const { status, stdout, read } = run('service', 'two-words', 'mux')
  expect(status).toBe(0)
  const made = read('packages/schemes/src/services/two-words.ts')
  expect(made).toContain("export const twoWords: DefinedScheme<ServiceKind<'two-words',")
  expect(made).toContain("title: 'Two Words'")
  expect(made).toContain("checked: ''")
  expect(made + read('packages/schemes/services/two-words.json')).not.toMatch(/https:\/\/\w/)
  expect(read('packages/schemes/src/index.ts')).toMatch(
    /\/twilio\.ts'\n.*\/twitch\.ts'\nexport { twoWords } from '\.\/services\/two-words\.ts'\n/,
  )
  expect(stdout).toMatch(/judges\/sdks\.mjs:\d+, beside mux: \{\n/)
  expect(stdout).toContain('npm run prove -- judges --only two-words --write')
})

const ADAPTER = [
  ...['packages/koa', 'examples/koa', ...ELSEWHERE],
  ...['package', 'adapter', 'framework'].flatMap((list) => Object.keys(LISTED_IN[list] ?? {})),
]

test('a new adapter is in every list, with the packages that npm has', () => {
  const { status, stdout, read } = runIn(ADAPTER, { oak: '0.9.4' }, ['adapter', 'oak', 'koa'])
  expect(status).toBe(0)
  for (const list of ['package', 'adapter', 'framework']) {
    for (const [path, words] of Object.entries(LISTED_IN[list] ?? {})) {
      expect(read(path).toLowerCase(), path).toContain(words('oak').toLowerCase())
    }
  }
  expect(stdout).not.toContain(', beside ')
  expect(read('workshop/prove/lists.mjs')).toContain("\n  oak: { oak: '0.9' },\n")
  expect(read('pnpm-workspace.yaml')).toMatch(/\n {2}koa: .*\n {2}oak: \^0\.9\.4\n/)
  expect(read('README.md')).toContain('| [Oak](docs/start.md#oak) 0.9 |')
  const { peerDependencies, peerDependenciesMeta } = JSON.parse(read('packages/oak/package.json'))
  expect([peerDependencies, peerDependenciesMeta]).toEqual([{ oak: '^0.9.4' }, undefined])
  for (const path of ['package.json', 'workshop/break/package.json']) {
    const { dependencies, devDependencies } = JSON.parse(read(path))
    expect({ ...dependencies, ...devDependencies }, path).toMatchObject({
      oak: 'catalog:',
      '@webhook-receiver/oak': 'workspace:*',
    })
  }
  expect(read('packages/cli/src/add/servers.ts')).toMatch(
    /\n}\n\nexport const oak: Framework = {\n {2}title: 'Oak',\n/,
  )
  const table = read('workshop/break/applications.mjs')
  expect(table.match(/^export const FRAMEWORKS = |^ {2}oak: \{$/gm)).toHaveLength(2)
})

test('an adapter can be for an older version of its framework, and the Node of that is printed', () => {
  const oak = (version: string) => ({ version, 'engines.node': '>=18' })
  const versions = { oak: '12.0.0', 'oak@11': [oak('11.2.0'), oak('11.10.0')] }
  const { stdout, read } = runIn(ADAPTER, versions, ['adapter', 'oak@11', 'koa'])
  expect(read('workshop/prove/lists.mjs')).toContain("\n  oak: { oak: '11' },\n")
  expect(read('pnpm-workspace.yaml')).toContain('\n  oak: ^11.10.0\n')
  expect(read('docs/start.md')).toContain('\n### Oak\n\nOak 11.\n')
  expect(stdout).toContain('oak@11 runs on Node >=18')
})

test('an adapter for a framework that npm does not have writes nothing', () => {
  const { status, stderr, has } = runIn(ADAPTER, {}, ['adapter', 'oak', 'koa'])
  expect([status, stderr]).toEqual([1, expect.stringContaining('npm has no package oak')])
  expect(has('packages/oak')).toBe(false)
})

test('a new store is in every list, with all of its options and the client of its neighbour', () => {
  const paths = [
    ...['packages/dynamodb', 'workshop/prove/dynamodb.mjs', 'workshop/prove/package.json'],
    ...ELSEWHERE,
    ...['package', 'store'].flatMap((list) => Object.keys(LISTED_IN[list] ?? {})),
  ]
  const { stdout, read } = runIn(paths, {}, ['store', 'etcd'])
  expect(read('workshop/prove/lists.mjs')).toMatch(/STORES = \[.*, 'etcd'\]/)
  // The new section has every option of the copied store, and the copied section still has its own.
  expect(read('docs/reference/stores.md')).toMatch(
    /\n## DynamoDB\n(?:(?!\n## ).)*<!-- end -->\n\n## Etcd\n(?:(?!\n## ).)*EtcdStoreOptions.*?<!-- end -->/s,
  )
  const left = [...stdout.matchAll(/^- (\S+):\d+, beside /gm)].map(([, path]) => path)
  for (const [path, words] of Object.entries(LISTED_IN.store ?? {})) {
    if (!left.includes(path)) expect(read(path), path).toContain(words('etcd'))
  }
  expect(read('docs/reference/command-line.md')).toContain('`etcd` or `dynamodb`')
  expect(stdout).toMatch(/add\/stores\.ts:\d+, beside dynamodb: \{\n/)
  expect(stdout).toContain('recipes/list.mjs:')
  const { devDependencies } = JSON.parse(read('packages/etcd/package.json'))
  expect(Object.keys(devDependencies)).toContain('@aws-sdk/client-dynamodb')
  expect(read('packages/etcd/test/types.test-d.ts')).toContain("from '@aws-sdk/client-dynamodb'")
  expect(read('workshop/prove/etcd.mjs')).toContain('function connectEtcd(')
  expect(read('workshop/prove/package.json')).toContain('"@webhook-receiver/etcd": "workspace:*"')
})

test.each([
  [['service', 'mux', 'mux'], 'packages/schemes/src/services/mux.ts is there already.'],
  [['service', 'two-words', 'nobody'], 'There is no service nobody.'],
  [['service', '../x'], 'npm run new -- adapter|service|store NAME [LIKE]'],
  [['store', 'two-words@2'], 'npm run new -- adapter|service|store NAME [LIKE]'],
])('%j writes nothing and says why', (args, message) => {
  const { status, stderr, has } = run(...args)
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
