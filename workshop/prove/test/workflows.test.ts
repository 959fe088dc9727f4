import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { read, root } from './documents.ts'

interface Step {
  readonly uses?: string
  readonly run?: string
  readonly with?: Readonly<Record<string, unknown>>
}

interface Job {
  readonly permissions?: Readonly<Record<string, string>>
  readonly environment?: unknown
  readonly steps: readonly Step[]
}

interface Workflow {
  readonly on: Readonly<Record<string, unknown>>
  readonly permissions?: Readonly<Record<string, string>>
  readonly jobs: Readonly<Record<string, Job>>
}

describe.each(readdirSync(join(root, '.github/workflows')))('%s', async (name) => {
  const text = await read(`.github/workflows/${name}`)
  const workflow: Workflow = parse(text)
  const jobs = Object.values(workflow.jobs)

  test('gives no permission to every job', () => {
    expect(workflow.permissions).toEqual({})
  })

  test('uses only actions of GitHub, each pinned to a commit with its version beside it', () => {
    const uses = [...text.matchAll(/\buses: (.*)/g)].map(([, used]) => used)
    expect(uses).not.toEqual([])
    const pinned = /^actions\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/
    expect(uses.filter((used = '') => !pinned.test(used))).toEqual([])
  })

  test('installs, builds and tests nothing where a job may write or publish', () => {
    const trusted = jobs.filter(
      (job) => Object.values(job.permissions ?? {}).includes('write') || mayReadSecrets(job),
    )
    const commands = /\b(npm|npx|pnpm) |\.ci\/run/
    expect(
      trusted.flatMap((job) => job.steps).filter(({ run = '' }) => commands.test(run)),
    ).toEqual([])
  })

  test('publishes, and reads secrets, only in an environment', () => {
    const open = jobs.filter((job) => job.permissions?.['id-token'] || mayReadSecrets(job))
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

describe('docs/evidence/README.md', async () => {
  const text = await read('docs/evidence/README.md')
  const rows = [...text.matchAll(/^\| [^|]* \| (`npm [^|]*) \| ([^|]*) \|$/gm)]
  /** The commands of the rows that are run at a time. */
  const commandsAt = (time: string) => {
    const commands = rows
      .filter(([, , where = '']) => where.includes(time))
      .flatMap(([, commands = '']) => [...commands.matchAll(/`(npm [^`]*)`/g)])
      .map(([, command = '']) => command)
    expect(commands).not.toEqual([])
    return commands
  }

  test('names commands for every change that CI runs', async () => {
    const files = ['.ci/run', '.github/workflows/ci.yml', 'README.md']
    const texts = await Promise.all(files.map(read))
    const runs = texts.join('\n')
    expect(commandsAt('CI').filter((command) => !runs.includes(command))).toEqual([])
  })

  test('names commands for once a week that CI runs once a week', async () => {
    const weekly = await weeklyCommands()
    const missing = commandsAt('weekly').filter(
      (command) => !weekly.some((run) => `npm run ${run} `.startsWith(`${command} `)),
    )
    expect(missing).toEqual([])
  })
})

test('the weekly commands are scripts of this repository', async () => {
  const { scripts } = JSON.parse(await read('package.json'))
  const names = (await weeklyCommands()).map((command) => command.split(' ')[0] ?? '')
  expect(names.filter((name) => !Object.hasOwn(scripts, name))).toEqual([])
})

async function weeklyCommands(): Promise<readonly string[]> {
  const { jobs } = parse(await read('.github/workflows/long.yml'))
  return jobs.check.strategy.matrix.command
}

function mayReadSecrets(job: Job) {
  return JSON.stringify(job).includes('secrets.')
}
