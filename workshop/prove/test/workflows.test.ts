import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { read, root } from './documents.ts'

// Whether a workflow gives more permissions than it needs, `npm run audit` looks at.
describe.each(readdirSync(join(root, '.github/workflows')))('%s', async (name) => {
  const text = await read(`.github/workflows/${name}`)
  const jobs = Object.values<{ permissions?: object; environment?: unknown; steps: object[] }>(
    parse(text).jobs,
  ).map((job) => ({ ...job, mayReadSecrets: JSON.stringify(job).includes('secrets.') }))

  test('uses only actions of GitHub, each pinned to a commit with its version beside it', () => {
    const uses = [...text.matchAll(/\buses: (.*)/g)].map(([, used]) => used)
    expect(uses).not.toEqual([])
    const pinned = /^actions\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/
    expect(uses.filter((used = '') => !pinned.test(used))).toEqual([])
  })

  test('installs, builds and tests nothing where a job may write or publish', () => {
    const trusted = jobs.filter(
      ({ permissions = {}, mayReadSecrets }) =>
        mayReadSecrets || Object.values(permissions).includes('write'),
    )
    const commands = /\b(npm|npx|pnpm) |\.ci\/run/
    const steps = trusted.flatMap((job) => job.steps)
    expect(steps.filter((step) => commands.test(Object(step).run))).toEqual([])
  })

  test('publishes, and reads secrets, only in an environment', () => {
    const open = jobs.filter(
      ({ permissions = {}, mayReadSecrets }) => mayReadSecrets || 'id-token' in permissions,
    )
    expect(open.filter(({ environment }) => environment === undefined)).toEqual([])
  })
})

test('.ci/run begins with the commands that the README gives a newcomer', async () => {
  const [, section = ''] = (await read('README.md')).split('\n## Try the repository\n')
  const commands = [...section.matchAll(/^(npx .*\S) +#/gm)].map(([, command]) => command)
  const run = await read('.ci/run')
  expect(commands).toHaveLength(2)
  expect(commands.filter((command) => !run.includes(`step sh -c '${command}'`))).toEqual([])
})

test.each([
  ['CI', ['.ci/run', '.github/workflows/ci.yml', 'README.md'], ''],
  ['weekly', ['.github/workflows/long.yml'], 'npm run '],
])('docs/evidence/README.md names as %s only commands that are', async (time, files, runs) => {
  const text = await read('docs/evidence/README.md')
  const rows = [...text.matchAll(/^\| [^|]* \| (`npm [^|]*) \| ([^|]*) \|$/gm)]
  const commands = rows
    .filter(([, , where = '']) => where.includes(time))
    .flatMap(([, all = '']) => [...all.matchAll(/`(npm [^`]*)`/g)])
    .map(([, command = '']) => command.replace(runs, ''))
  const run = (await Promise.all(files.map(read))).join('\n')
  expect(commands.length).toBeGreaterThan(3)
  expect(commands.filter((command) => !run.includes(command))).toEqual([])
})
