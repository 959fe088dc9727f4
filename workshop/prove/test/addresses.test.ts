import { execFileSync } from 'node:child_process'
import { REPOSITORY, SITE, VERSION } from '@webhook-receiver/core/internal'
import { expect, test } from 'vitest'
import { publicPackages } from '../pack.mjs'
import { read, root } from './documents.ts'

const [owner, name] = REPOSITORY.split('/').slice(-2)

test('the site is where GitHub Pages publishes it for the repository', async () => {
  expect(SITE).toBe(`https://${owner}.github.io/${name}`)
  const { homepage, repository } = JSON.parse(await read('package.json'))
  expect([homepage, repository.url]).toEqual([SITE, `git+${REPOSITORY}.git`])
})

test('each manifest has the addresses of its package, and the version that core says it has', async () => {
  const packages = await publicPackages()
  for (const { folder, ...manifest } of packages) {
    const directory = `packages/${folder}`
    expect(manifest).toMatchObject({
      version: VERSION,
      homepage: `${REPOSITORY}/tree/main/${directory}#readme`,
      repository: { type: 'git', url: `git+${REPOSITORY}.git`, directory },
      bugs: `${REPOSITORY}/issues`,
    })
  }
  expect(packages.length).toBeGreaterThan(20)
})

test('no file has an address of the project that is not made of these', async () => {
  const begin = String.raw`(https?://|git@|github\.repository == ')[^ )>"]*`
  const pattern = `${begin}(webhook-receiver|${owner}/${name}|${owner}\\.github\\.io)[^ )>"]*`
  const args = ['grep', '-IhoE', pattern, '--', ':!pnpm-lock.yaml']
  const found = execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim().split('\n')
  const own = [SITE, REPOSITORY, `github.repository == '${owner}/${name}'`]
  expect(found.filter((address) => !own.some((each) => address.startsWith(each)))).toEqual([])
  for (const each of own) expect(found.some((address) => address.startsWith(each))).toBe(true)
  expect(await read('.github/CODEOWNERS')).toMatch(new RegExp(`^\\* +@${owner}/`, 'm'))
})
