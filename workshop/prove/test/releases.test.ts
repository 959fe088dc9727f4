import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { VERSION } from '@webhook-receiver/core/internal'
import { expect, test } from 'vitest'
import { STORES } from '../lists.mjs'
import { publicPackages } from '../pack.mjs'
import { read, root } from './documents.ts'

/** The files that match and that git does not ignore, also those of a package that is not committed yet. */
function listed(...patterns: readonly string[]): readonly string[] {
  const list = ['ls-files', '-co', '--exclude-standard', ...patterns]
  return execFileSync('git', list, { cwd: root, encoding: 'utf8' })
    .split('\n')
    .filter((file) => file !== '' && existsSync(join(root, file)))
}

test('every published package has the version that core says it has', async () => {
  const packages = await publicPackages()
  expect(packages.filter(({ version }) => version !== VERSION)).toEqual([])
  expect(packages.length).toBeGreaterThan(20)
})

test('our packages need exactly one version of one another', async () => {
  const manifests = listed('package.json', 'packages/*/package.json', 'workshop/*/package.json')
  const ranges: string[] = []
  for (const file of manifests) {
    const { dependencies, devDependencies, peerDependencies } = JSON.parse(await read(file))
    for (const [name, range] of Object.entries({
      ...dependencies,
      ...devDependencies,
      ...peerDependencies,
    })) {
      if (/^(@webhook-receiver\/|webhook-receiver$)/.test(name)) ranges.push(`${name} ${range}`)
    }
  }
  expect(ranges.filter((range) => !range.endsWith(' workspace:*'))).toEqual([])
  expect(ranges.length).toBeGreaterThan(50)
})

test('a store imports only what core has for its author', async () => {
  const files = await Promise.all(
    listed('packages/*/src/*.ts').map(async (file) => ({
      folder: file.split('/')[1],
      text: await readFile(join(root, file), 'utf8'),
    })),
  )
  const marks = /madeBy<[^(]*>\(\s*'@webhook-receiver\/[\w-]+',\s*'store'/
  const stores = new Set(files.filter(({ text }) => marks.test(text)).map(({ folder }) => folder))
  stores.delete('core')
  expect(
    [...stores].sort(),
    "what a store returns is marked: madeBy('@webhook-receiver/…', 'store', …)",
  ).toEqual([...STORES].sort())
  const imported = files
    .filter(({ folder }) => stores.has(folder))
    .flatMap(({ text }) => [...text.matchAll(/'(@webhook-receiver\/[^']*)'/g)])
    .map(([, path = '']) => path)
    .filter((path) => !STORES.includes(path.replace('@webhook-receiver/', '')))
  expect([...new Set(imported)].sort()).toEqual([
    '@webhook-receiver/core',
    '@webhook-receiver/core/store',
  ])
})
