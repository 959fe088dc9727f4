import { type CommandContext, paintFor, printableLines, writeJson } from '../console/index.ts'
import { indented } from './code.ts'
import { FRAMEWORKS } from './frameworks/index.ts'
import type { Form } from './parts.ts'
import type { Plan } from './plan.ts'
import type { Project } from './project.ts'
import type { Service } from './service.ts'
import { type Variable, withValue } from './variables.ts'
import type { FileState } from './write.ts'

interface Added {
  readonly service: Service
  readonly project: Project
  readonly form: Form
  readonly plan: Plan
  readonly states: readonly FileState[]
  /** What the file of the environment does not have yet. */
  readonly unset: readonly Variable[]
  readonly isDry: boolean
  /** Whether git ignores the example of the environment. */
  readonly isHidden: boolean
  /** Whether what is missing was installed. */
  readonly isInstalled: boolean
  readonly json: boolean
}

/** Whether a route reads its secret where the runtime has it: a Worker gets it with the request, and others have it in the environment. */
function readsSecretOf({ runtime }: Project, { variable }: Service, text: string): boolean {
  if (runtime === 'workers') return !text.includes(`process.env.${variable}`)
  return !new RegExp(`\\(_?(?:request|c)\\b[^)]*\\) =>\\s(?:c\\.)?env\\.${variable}\\b`).test(text)
}

/** Says what is new, what belongs into existing files, and what to do next. */
export function report(
  added: Added,
  { stdout, env }: Pick<CommandContext, 'stdout' | 'env'>,
): void {
  const { service, project, plan, states, isDry, isHidden, json } = added
  if (json) {
    writeJson(stdout, jsonOf(added))
    return
  }
  const paint = paintFor(stdout, env)
  const framework = FRAMEWORKS[project.framework].title
  const title = `${service.title.replace(/^the/, 'The')} on ${framework}`
  const rows = states.map(({ path, state }) => {
    const isChange = state === 'new' || state === 'added to'
    return `${(isDry && isChange ? `would be ${state}` : state).padEnd(isDry ? 19 : 11)}${path}`
  })
  const { files, own } = plan
  const lines = linesOf(added)
  const is = (state: FileState['state'], path: string) =>
    states.some((each) => each.path === path && each.state === state)
  const settings = settingsOf(added)
  const isThere = project.isNew || states.every(({ state }) => state !== 'new')
  // A title is painted last: what makes text printable would show the colour as text.
  const part = (heading: string, text: string) =>
    `${paint('bold', printableLines(heading))}\n\n${printableLines(indented(text.trim()))}`
  const parts = [
    part(title, rows.join('\n')),
    ...(isDry
      ? states.flatMap(({ path, added: text }) => (text === undefined ? [] : [part(path, text)]))
      : []),
    ...states.flatMap(({ path, state, text }) => {
      if (state !== 'kept' || !own.paths.includes(path)) return []
      const why =
        text !== undefined && !(text.includes(own.adapter) && readsSecretOf(project, service, text))
          ? `${path} is there already, and not for ${framework}.`
          : own.uses && `Add the ${own.uses} to ${path}, if it is not there.`
      return why ? [part(`${why} A new file would be:`, files[path] ?? '')] : []
    }),
    ...(plan.service && is('kept', plan.service.path)
      ? [part(`Add to ${plan.service.path}:`, plan.service.text)]
      : []),
    ...(lines
      ? [part(`Add to ${lines.where}${isThere ? ', if it is not there' : ''}:`, lines.text)]
      : []),
    ...(isHidden
      ? [
          part(
            `Add to .gitignore, which hides ${plan.envFile}.example from your team:`,
            `!${plan.envFile}.example`,
          ),
        ]
      : []),
    ...(settings ? [part(settings.title, settings.text)] : []),
    part('Next:', stepsOf(added).join('\n')),
  ]
  stdout.write(`${parts.join('\n\n')}\n`)
}

/** What belongs into a file that is there: the server of a new project has it. */
function linesOf({ plan: { lines, main }, states }: Added): Plan['lines'] {
  const has = states.some(({ path, state }) => path === main && state !== 'kept')
  return has ? undefined : lines
}

/** The environment of an existing project, with values to try it with. */
function settingsOf({ service, plan: { envFile }, states, unset }: Added) {
  const lines = inFile(service, unset).map(withValue)
  if (lines.length === 0 || states.some((each) => each.path === envFile && each.state === 'new'))
    return undefined
  return { title: `Add to ${envFile}:`, text: lines.join('\n') }
}

/** A public key is exported instead. */
function inFile({ signedBy, variable }: Service, all: readonly Variable[]): readonly Variable[] {
  return all.filter(({ name }) => signedBy !== 'key' || name !== variable)
}

/** How the server is started, also where a script does not read the file of the environment. */
function startOf({ service, project, plan }: Added): readonly string[] {
  const { next, envFile, variables } = plan
  const { start = '' } = FRAMEWORKS[project.framework]
  if (project.readsEnvFile || inFile(service, variables).length === 0)
    return next.start ? [next.start] : []
  const flag = `--env-file=${envFile}`
  return [start.includes(flag) ? start : `# start your server with ${flag}`]
}

function stepsOf(added: Added): readonly string[] {
  const { project, plan, isInstalled } = added
  const { next, installs } = plan
  const { workerRuns } = FRAMEWORKS[project.framework]
  return [
    ...(isInstalled ? [] : installs.map((words) => words.join(' '))),
    ...(next.keys && next.key
      ? [next.keys, '# for your server, until you have the real key', next.key]
      : []),
    ...(next.test ? [next.test] : []),
    ...startOf(added),
    ...(next.work
      ? [
          `# in another terminal: the worker${workerRuns ? `, which in production runs ${workerRuns}` : ''}`,
          next.work,
        ]
      : []),
    ...(next.send ? [`# in another terminal, while your server runs`, next.send] : []),
    ...next.real.map((need) => `# ${need}`),
  ]
}

function jsonOf(added: Added) {
  const { service, project, form, plan, states, isDry } = added
  const { framework, dialect, manager } = project
  return {
    service: service.name,
    framework,
    form,
    ...{ language: dialect.language, module: dialect.module, manager, dry_run: isDry },
    files: states.map(({ path, state }) => ({ path, state, text: plan.files[path] ?? null })),
    lines: linesOf(added) ?? null,
    ...(plan.service && { service_lines: plan.service }),
    variables: plan.variables.map(({ name }) => name),
    installs: plan.installs.map((words) => words.join(' ')),
    next: plan.next,
  }
}
