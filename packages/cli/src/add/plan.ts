import { basename, dirname, join } from 'node:path/posix'
import { VERSION } from '@webhook-receiver/core/internal'
import { shellWord } from '../console/index.ts'
import { printed } from './code.ts'
import type { Application, Framework, Packages, Shared } from './framework.ts'
import { FRAMEWORKS } from './frameworks.ts'
import { entryOf, inboxOf, WORKER } from './inbox.ts'
import { MANAGERS, type Project } from './project.ts'
import { type Parts, publicUrlOf } from './receiver.ts'
import type { Service } from './service.ts'
import { STORES, type StoreName } from './stores.ts'
import { testOf } from './test-file.ts'
import { type Variable, variablesOf } from './variables.ts'

/** All that is done to a project. */
export interface Plan {
  /** The text of each new file, by its path. */
  readonly files: Readonly<Record<string, string>>
  /** What belongs into an existing file. */
  readonly lines: { readonly where: string; readonly text: string } | undefined
  /** What one more service adds to an inbox that is there already. */
  readonly service?: { readonly path: string; readonly text: string }
  readonly variables: readonly Variable[]
  /** Where the variables are kept, such as `.env`. */
  readonly envFile: string
  /** The store or the inbox, and the files that use it. */
  readonly uses?: { readonly what: 'store' | 'inbox'; readonly paths: readonly string[] }
  /** The commands that install what is missing. */
  readonly installs: readonly (readonly string[])[]
  /** What a reader runs next. */
  readonly next: {
    /** Makes a pair of keys for services that share no secret. */
    readonly keys?: string
    /** Gives the server the public one. */
    readonly key?: string
    readonly start?: string
    readonly test?: string
    readonly send?: string
    /** Handles what an inbox has. */
    readonly work?: string
  }
}

/** What remembers deliveries: a store, or an inbox that keeps them, too. */
export type Kept = StoreName | 'inbox' | undefined

export function planFor(given: Service, project: Project, kept: Kept): Plan {
  const framework: Framework = FRAMEWORKS[project.framework]
  const { dialect, layout, runner, isNew } = project
  const isApi = project.framework === 'next' && layout.hasPagesOnly
  const service = isApi ? { ...given, path: `/api${given.path}` } : given
  const hasInbox = kept === 'inbox'
  const file = hasInbox ? 'inbox' : 'store'
  const shared: Shared | undefined = hasInbox ? inboxOf(service) : kept && STORES[kept]
  const folder = framework.sharedFolder?.(layout) ?? '.'
  const parts: Parts = {
    ...{ service, receive: nameOf(service), dialect, runtime: project.runtime },
    store: undefined,
    inbox: undefined,
    ...(shared && { [file]: { from: `${folder}/${file}`, names: [file] } }),
  }
  const application = framework.application(parts, layout)
  const { route, mount } = application
  const ending = `.${dialect.language}`
  const test = testPathOf(application, project)
  const files = new Map([[route.path + ending, printed(route.code, dialect)]])
  const isTested = service.signedBy !== 'nobody'
  if (isTested) {
    const code = testOf(parts, application, { path: test, runner })
    files.set(test + ending, printed(code, dialect))
  }
  const pathOf = (name: string) => join(dirname(route.path), folder, name + ending)
  if (shared) files.set(pathOf(file), printed(shared.code, dialect))
  if (hasInbox) files.set(pathOf('worker'), printed(WORKER, dialect))
  if (isNew)
    for (const [path, text] of newFiles(framework, application, project, test + ending))
      files.set(path, text)
  const envFile = project.runtime === 'workers' ? '.dev.vars' : '.env'
  return {
    files: Object.fromEntries(files),
    lines:
      isNew || !mount
        ? undefined
        : { where: mount.where, text: printed(mount.code, dialect).trim() },
    variables: [...variablesOf(service), ...(shared?.variables ?? [])],
    ...(hasInbox && {
      service: { path: pathOf(file), text: printed(entryOf(service), dialect).trim() },
    }),
    envFile,
    ...(shared && { uses: { what: file, paths: [route.path + ending, test + ending] } }),
    installs: installsOf(project, [
      ...(isNew ? [framework.packages] : []),
      ours(application.adapter),
      { run: service.packages, develop: [] },
      ...(shared ? [shared.packages] : []),
      ...(isTested && runner === 'node' && dialect.language === 'ts' ? [TYPES_OF_TESTS] : []),
    ]),
    next: {
      ...(isNew && { start: `${project.manager} ${project.manager === 'npm' ? '' : 'run '}start` }),
      ...(isTested && { test: testCommand(project, test + ending, shared !== undefined) }),
      ...(service.signedBy === 'key' && {
        keys: `npx webhook-receiver keys ${service.name}`,
        key: keyCommand(service, envFile),
      }),
      ...(service.signedBy !== 'nobody' && { send: sendCommand(service, portOf(project)) }),
      ...(hasInbox && { work: workCommand(project, pathOf('worker')) }),
    },
  }
}

/** `receiveStripe`. */
function nameOf({ name }: Service): string {
  return `receive${name.replaceAll(/(?:^|\W)(\w)/g, (_, letter) => letter.toUpperCase())}`
}

/** Beside the route, unless the framework takes every file there for a route. */
function testPathOf({ route, testFolder }: Application, { framework, runner }: Project): string {
  const ending = framework === 'nestjs' && runner !== 'node' ? 'spec' : 'test'
  const name = basename(route.path).replace('+', '')
  return `${join(testFolder ?? dirname(route.path), name)}.${ending}`
}

const TYPES_OF_TESTS: Packages = { run: [], develop: ['@types/node'] }

function ours(name: string): Packages {
  return { run: [`@webhook-receiver/${name}`], develop: [] }
}

/** What package.json does not name yet. Ours come in the version of this command, since they need one another's. */
function installsOf(project: Project, all: readonly Packages[]): Plan['installs'] {
  const { add, develop } = MANAGERS[project.manager]
  const missing = (names: readonly string[]) =>
    [...new Set(names)]
      .filter((name) => !project.has.has(name))
      .map((name) => (name.startsWith('@webhook-receiver/') ? `${name}@${VERSION}` : name))
  const runs = missing(all.flatMap(({ run }) => run))
  const tools = missing(all.flatMap((each) => each.develop))
  return [
    ...(runs.length > 0 ? [[...add.split(' '), ...runs]] : []),
    ...(tools.length > 0 ? [[...develop.split(' '), ...tools]] : []),
  ]
}

function testCommand(
  { runner, manager, dialect }: Project,
  path: string,
  hasStore: boolean,
): string {
  const { run } = MANAGERS[manager]
  if (runner === 'vitest') return `${run} vitest run ${path}`
  if (runner === 'jest') return `${run} jest ${path}`
  if (runner === 'bun') return `bun test ${path}`
  const program = programOf(dialect)
  // The connection of a store would keep the process.
  return `${program} --test ${hasStore ? '--test-force-exit ' : ''}${path}`
}

function workCommand({ runner, dialect }: Project, path: string): string {
  if (runner === 'bun') return `bun ${path}`
  return `${programOf(dialect)} --env-file=.env ${path}`
}

function programOf({ language }: Project['dialect']): string {
  return language === 'ts' ? 'npx tsx' : 'node'
}

/** Wrangler takes nothing from the shell. What is in the shell counts before what is in `.env`. */
function keyCommand({ name, variable }: Service, envFile: string): string {
  const key = `$(cat ${name}.pub)`
  return envFile === '.env'
    ? `export ${variable}="${key}"`
    : `echo "${variable}=\\"${key}\\"" >> ${envFile}`
}

/** That of `wrangler dev`, unless a new project chooses. */
function portOf({ isNew, runtime }: Project): number {
  return runtime === 'workers' && !isNew ? 8787 : 3000
}

function sendCommand(
  { scheme, name, event, path, signsUrl, signedBy }: Service,
  port: number,
): string {
  const how = scheme ? ` --scheme ${name}` : ''
  const key = signedBy === 'key' ? ` --secret-file ${name}.key` : ''
  const registered = signsUrl ? ` --public-url ${publicUrlOf(path)}` : ''
  return `npx webhook-receiver send ${shellWord(event)} http://localhost:${port}${path}${how}${key}${registered}`
}

/** The files of a project that has none. */
function newFiles(
  { start, settings = {}, compiler = { types: ['node'] } }: Framework,
  { server }: Application,
  { runner, dialect }: Project,
  tests: string,
): readonly (readonly [string, string])[] {
  const main = server ? `${server.path}.${dialect.language}` : ''
  const scripts = {
    start: start ?? `tsx --env-file=.env ${main}`,
    test: runner === 'bun' ? 'bun test' : `tsx --test ${tests}`,
  }
  const manifest = { private: true, type: 'module', scripts }
  const compilerOptions = {
    ...{ target: 'es2022', module: 'nodenext', strict: true, noEmit: true, skipLibCheck: true },
    ...compiler,
  }
  return [
    ['package.json', json(manifest)],
    ['.gitignore', 'node_modules\n.env\n.dev.vars\n'],
    ...(server ? [['tsconfig.json', json({ compilerOptions })] as const] : []),
    ...(server ? [[main, printed(server.code, dialect)] as const] : []),
    ...Object.entries(settings),
  ]
}

function json(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`
}
