import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { FRAMEWORKS, STORES, WITHOUT_PEER } from '../lists.mjs'
import { publicPackages } from '../pack.mjs'
import { read, root } from './documents.ts'

type Words = (name: string) => string

/** What a list has of each of its entries. */
type Lists = Readonly<Record<string, Words>>

const row: Words = (name) => `(packages/${name})`
const imported: Words = (name) => `'@webhook-receiver/${name}'`

const PACKAGES: Lists = {
  // Until the first release.
  '.changeset/first-release.md': (name) => `\n"${name}": minor\n`,
  'package.json': (name) => `"${name}": "workspace:*"`,
}

const ADAPTERS: Lists = {
  'README.md': row,
  'docs/start.md': imported,
  'packages/cli/src/add/frameworks.ts': (name) =>
    name === 'nestjs' ? '\n  nestjs,' : `adapter: '${name}'`,
  'packages/core/README.md': (name) => `](../${name})`,
  'packages/schemes/skill/SKILL.md': (name) => `| \`${name}\` |`,
}

const WITH_BOTH_FORMS: Lists = {
  'workshop/break/applications.mjs': imported,
  'docs/guides/body-parsers.md': (name) => `\n| ${name} |`,
  'workshop/measure/http-server.mjs': (name) => `async ${name}(adapter)`,
  'workshop/prove/test/deliver-to.test.ts': imported,
}

const STORES_IN: Lists = {
  'docs/reference/stores.md': (name) => `(../../packages/${name})`,
  'workshop/break/faults/engine/open-store.mjs': imported,
  'workshop/break/faults/recipes/list.mjs': (name) => `packages/${name}/README.md`,
}

const adapters = [...FRAMEWORKS, 'nestjs', ...WITHOUT_PEER]
const packages = await publicPackages()
const cases = [
  ...casesOf(
    'package',
    packages.map(({ name }) => name),
    PACKAGES,
  ),
  ...casesOf('adapter', adapters, ADAPTERS),
  ...casesOf('framework', FRAMEWORKS, WITH_BOTH_FORMS),
  ...casesOf('store', STORES, STORES_IN),
]

test.each(cases)('%s names every %s', async (file, _kind, names, words) => {
  const text = (await read(file)).toLowerCase()
  expect(names.filter((name) => !text.includes(words(name).toLowerCase()))).toEqual([])
})

test('every adapter is an application that installs the packed packages', () => {
  const folder = join(root, 'workshop/prove/packed/applications')
  const missing = [...FRAMEWORKS, ...WITHOUT_PEER].filter(
    (name) => !existsSync(join(folder, `${name}.ts`)),
  )
  expect(missing).toEqual([])
})

test('every package with sources is mutated once a week', async () => {
  const weekly =
    (await read('.github/workflows/long.yml')).match(/^ +- break -- mutation .*/gm) ?? []
  const names = weekly.join(' ').split(' ')
  const mutated = packages.filter(({ folder }) => existsSync(join(root, 'packages', folder, 'src')))
  expect(mutated.map(({ folder }) => folder).filter((name) => !names.includes(name))).toEqual([])
})

function casesOf(kind: string, names: readonly string[], lists: Lists) {
  return Object.entries(lists)
    .filter(([file]) => existsSync(join(root, file)))
    .map(([file, words]) => [file, kind, names, words] as const)
}
