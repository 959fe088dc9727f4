import { spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { suggestion } from '@webhook-receiver/core/internal'
import { type CommandContext, Failure, Interrupted, UsageError } from '../console/index.ts'
import {
  findScheme,
  general,
  isNamed,
  type MakeCommand,
  nameOutOf,
  newCommand,
  tokenSchemes,
} from '../options/index.ts'
import { checkChoices, checkFit } from './choices.ts'
import { FRAMEWORKS, type FrameworkName, WITH_MIDDLEWARE } from './frameworks/index.ts'
import { isIgnored } from './ignored.ts'
import { type Plan, planFor } from './plan.ts'
import { readProject } from './project.ts'
import { report } from './report.ts'
import { serviceOf } from './service.ts'
import { STORES, type StoreName } from './stores.ts'
import { missingIn } from './variables.ts'
import { write } from './write.ts'

const STORE_NAMES = Object.keys(STORES) as StoreName[]

/** `add`: a route that receives from a service, in the application of a folder or in a new one. */
export const addCommand: MakeCommand = (context, end) =>
  general(
    newCommand('add', 'Write a route for a service into your project', [
      'add stripe',
      'add slack --framework next --store redis',
      'add github --dry-run',
    ])
      .argument(
        '[service]',
        'service to receive from; `schemes` lists them; without it, webhooks of your own services',
      )
      .optionsGroup('Project:')
      .option(
        '--framework <name>',
        `${Object.keys(FRAMEWORKS).join(', ')} (default: what package.json names; express in an empty folder)`,
      )
      .option('--folder <path>', 'folder of the application', '.')
      .option(
        '--store <name>',
        `handle each delivery once, by a store: ${STORE_NAMES.join(', ')}`,
        nameOutOf(STORE_NAMES),
      )
      .option(
        '--form <name>',
        `handler, where the receiver responds, or middleware, where your own code does (${WITH_MIDDLEWARE.join(', ')})`,
        nameOutOf(['handler', 'middleware']),
        'handler' as const,
      )
      .option('--inbox', 'store each delivery in PostgreSQL, and handle it in a worker')
      .optionsGroup('Changes:')
      .option('--no-install', 'install nothing, and show what would be installed')
      .option('--dry-run', 'write and install nothing, and show the files'),
  ).action(async (name = 'default', { framework, folder, install, dryRun, json, ...choices }) => {
    if (isFramework(name)) {
      throw new UsageError(`${name} is a framework: add stripe --framework ${name}`)
    }
    const token = (await tokenSchemes()).find((each) => isNamed(each, name))
    const { exported, from, scheme } =
      token ?? (await findScheme(name === 'default' ? 'contract' : name))
    const service = serviceOf(exported, scheme, from)
    checkChoices(choices, service)
    const project = readProject(resolve(folder), {
      framework: framework === undefined ? undefined : frameworkNamed(framework),
      agent: context.env.npm_config_user_agent,
    })
    checkFit(choices, project)
    const { form, inbox, store } = choices
    const plan = planFor(service, project, { form, kept: inbox ? 'inbox' : store })
    const isDry = dryRun === true
    const states = await write(plan, { folder, isNew: project.isNew, isDry })
    const settings = await readFile(join(folder, plan.envFile), 'utf8').catch(() => '')
    const unset = missingIn(settings, plan.variables)
    const ignored = await readFile(join(folder, '.gitignore'), 'utf8').catch(() => '')
    const isHidden = isIgnored(`${plan.envFile}.example`, ignored)
    const given = { service, project, form, plan, states, unset, isHidden, isDry }
    let isInstalled = plan.installs.length === 0
    try {
      if (install && !isDry)
        for (const index of plan.installs.keys())
          await run(plan.installs.slice(index), folder, context)
      isInstalled ||= install && !isDry
    } finally {
      report({ ...given, isInstalled, json: json === true }, context)
    }
    end(0)
  })

function isFramework(name: string): boolean {
  return Object.hasOwn(FRAMEWORKS, name)
}

/** @throws UsageError that names the nearest. */
function frameworkNamed(given: string): FrameworkName {
  const names = Object.keys(FRAMEWORKS) as FrameworkName[]
  const plain = (text: string) => text.toLowerCase().replaceAll(/[^a-z]/g, '')
  const found = names.find((name) => {
    const { title, aliases = [] } = FRAMEWORKS[name]
    return [name, title, ...aliases].some((each) => plain(each) === plain(given))
  })
  if (found) return found
  throw new UsageError(
    `There is no framework ${JSON.stringify(given)}. ${suggestion(given, names)}There are ${names.join(', ')}.`,
  )
}

/** Runs the first of the installations that are left. What it prints goes to standard error. */
async function run(
  installs: Plan['installs'],
  folder: string,
  { env, signal }: CommandContext,
): Promise<void> {
  const [[command = '', ...args] = []] = installs
  const shell = process.platform === 'win32'
  const child = spawn(command, args, { cwd: folder, env, signal, shell, stdio: ['ignore', 2, 2] })
  const code = await new Promise((done) =>
    child.once('close', done).once('error', () => done('no program')),
  )
  if (signal.aborted) throw new Interrupted('The files are written; install what is missing.')
  if (code === 0) return
  throw new Failure(
    `The installation ended with ${code}. The files are written, so run only this: ${installs.map((words) => words.join(' ')).join(' && ')}`,
  )
}
