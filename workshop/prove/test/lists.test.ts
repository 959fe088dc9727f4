import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { FRAMEWORKS, LISTED_IN, STORES, WITHOUT_PEER } from '../lists.mjs'
import { publicPackages } from '../pack.mjs'
import { read, root } from './documents.ts'

const packages = await publicPackages()

const NAMES: Readonly<Record<string, readonly string[]>> = {
  package: packages.map(({ name }) => name.replace('@webhook-receiver/', '')),
  adapter: [...FRAMEWORKS, 'nestjs', ...WITHOUT_PEER],
  framework: FRAMEWORKS,
  store: STORES,
  service: readdirSync(join(root, 'packages/schemes/services'))
    .map((file) => file.replace('.json', ''))
    .filter((name) => name !== 'aws-sns'),
}

const cases = Object.entries(LISTED_IN).flatMap(([kind, lists]) =>
  Object.entries(lists)
    .filter(([file]) => existsSync(join(root, file)))
    .map(([file, words]) => [file, kind, NAMES[kind] ?? [], words] as const),
)

test.each(cases)('%s names every %s', async (file, _kind, names, words) => {
  const text = (await read(file)).toLowerCase()
  const missing = names.map(words).filter((word) => !text.includes(word.toLowerCase()))
  expect(missing, 'this text is missing').toEqual([])
})

test('.github/workflows/long.yml names every package with sources at `break -- mutation`', async () => {
  const weekly =
    (await read('.github/workflows/long.yml')).match(/^ +- break -- mutation .*/gm) ?? []
  const names = weekly.join(' ').split(' ')
  const mutated = packages.filter(({ folder }) => existsSync(join(root, 'packages', folder, 'src')))
  expect(mutated.map(({ folder }) => folder).filter((name) => !names.includes(name))).toEqual([])
})
