import { type CommandContext, paintFor, printable, writeJson } from '../console/index.ts'
import { indented } from './code.ts'
import { FRAMEWORKS } from './frameworks.ts'
import type { Plan } from './plan.ts'
import type { Project } from './project.ts'
import type { Service } from './service.ts'
import type { FileState } from './write.ts'

interface Added {
  readonly service: Service
  readonly project: Project
  readonly plan: Plan
  readonly states: readonly FileState[]
  readonly isDry: boolean
  /** Whether what is missing was installed. */
  readonly isInstalled: boolean
  readonly json: boolean
}

/** Says what is new, what belongs into existing files, and what to do next. */
export function report(
  added: Added,
  { stdout, env }: Pick<CommandContext, 'stdout' | 'env'>,
): void {
  const { service, project, plan, states, isDry, json } = added
  if (json) {
    writeJson(stdout, jsonOf(added))
    return
  }
  const paint = paintFor(stdout, env)
  const title = `${service.title} on ${FRAMEWORKS[project.framework].title}`
  const rows = states.map(
    ({ path, state }) =>
      `${(isDry && state === 'new' ? 'would be new' : state).padEnd(isDry ? 14 : 11)}${path}`,
  )
  const { lines, files } = plan
  const isKept = states.some(({ path, state }) => path === plan.service?.path && state === 'kept')
  const parts = [
    `${paint('bold', title)}\n\n${indented(rows.join('\n'))}`,
    ...(isDry
      ? Object.entries(files).map(
          ([path, text]) => `${paint('bold', path)}\n\n${indented(text.trim())}`,
        )
      : []),
    ...(isKept && plan.service
      ? [`${paint('bold', `Add to ${plan.service.path}:`)}\n\n${indented(plan.service.text)}`]
      : []),
    ...(lines ? [`${paint('bold', `Add to ${lines.where}:`)}\n\n${indented(lines.text)}`] : []),
    `${paint('bold', 'Next:')}\n\n${indented(stepsOf(added).join('\n'))}`,
  ]
  stdout.write(`${parts.join('\n\n').split('\n').map(printable).join('\n')}\n`)
}

function stepsOf({ project, plan, isInstalled }: Added): readonly string[] {
  const { next, installs, envFile, variables } = plan
  const { workerRuns } = FRAMEWORKS[project.framework]
  const names = variables.map(({ name }) => name).join(' and ')
  return [
    ...(isInstalled ? [] : installs.map((words) => words.join(' '))),
    ...(project.isNew
      ? []
      : [
          `# ${names} ${variables.length > 1 ? 'have' : 'has'} to be in the environment, such as from ${envFile}`,
        ]),
    ...(next.keys
      ? [
          next.keys,
          `# ${variables[0]?.name} is what it writes to the file .pub, until you have the key of the service`,
        ]
      : []),
    ...(next.test ? [next.test] : []),
    ...(next.start ? [next.start] : []),
    ...(next.work
      ? [
          `# in another terminal: the worker${workerRuns ? `, which in production runs ${workerRuns}` : ''}`,
          next.work,
        ]
      : []),
    ...(next.send ? [`# in another terminal, while your server runs`, next.send] : []),
  ]
}

function jsonOf({ service, project, plan, states, isDry }: Added) {
  const { framework, dialect, manager } = project
  return {
    service: service.name,
    framework,
    ...{ language: dialect.language, module: dialect.module, manager, dry_run: isDry },
    files: states.map(({ path, state }) => ({ path, state, text: plan.files[path] ?? null })),
    lines: plan.lines ?? null,
    ...(plan.service && { service_lines: plan.service }),
    variables: plan.variables.map(({ name }) => name),
    installs: plan.installs.map((words) => words.join(' ')),
    next: plan.next,
  }
}
