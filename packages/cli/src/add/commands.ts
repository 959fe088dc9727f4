import { VERSION } from '@webhook-receiver/core/internal'
import { shellWord } from '../console/index.ts'
import type { Framework, Packages } from './framework.ts'
import { MANAGERS } from './manager.ts'
import type { Project } from './project.ts'
import { publicUrlOf } from './receiver.ts'
import type { Service } from './service.ts'

/** What package.json does not name yet. Ours come in the version of this command, since they need one another's. */
export function installsOf(
  { manager, isNew, has, dialect }: Project,
  { packages, foundBy }: Framework,
  added: readonly Packages[],
): readonly (readonly string[])[] {
  const { add, develop } = MANAGERS[manager]
  const types = packages.develop.filter((name) => name.startsWith('@types/'))
  // --framework may name one that is not there yet, which the test imports.
  const framework: Packages = foundBy.some((name) => has.has(name))
    ? { run: [], develop: [] }
    : { run: packages.run, develop: dialect.language === 'ts' ? types : [] }
  const all = [isNew ? packages : framework, ...added]
  const missing = (names: readonly string[]) =>
    [...new Set(names)]
      .filter((name) => !has.has(name))
      .map((name) => (name.startsWith('@webhook-receiver/') ? `${name}@${VERSION}` : name))
      .map((name) => (manager === 'deno' ? `npm:${name}` : name))
  const runs = missing(all.flatMap(({ run }) => run))
  const tools = missing(all.flatMap((each) => each.develop))
  const commands = [
    ...(runs.length > 0 ? [[...add.split(' '), ...runs]] : []),
    ...(tools.length > 0 ? [[...develop.split(' '), ...tools]] : []),
  ]
  // What pnpm has installed keeps the `*` of a new project: its framework comes first.
  const isTool = isNew && packages.develop.some((name) => foundBy.includes(name))
  return isTool && manager === 'pnpm' ? commands.reverse() : commands
}

/** What a reader runs next. */
export interface Next {
  /** Makes a pair of keys for services that share no secret. */
  readonly keys?: string
  /** Gives the server the public one. */
  readonly key?: string
  readonly start?: string
  readonly test?: string
  readonly send?: string
  /** Handles what an inbox has. */
  readonly work?: string
  /** What real deliveries need, which no command gives. */
  readonly real: readonly string[]
}

export function nextOf(
  service: Service,
  project: Project,
  {
    envFile,
    route,
    test,
    worker,
    hasStore,
  }: {
    readonly envFile: string
    readonly route: string
    readonly test: string | undefined
    readonly worker: string | undefined
    readonly hasStore: boolean
  },
): Next {
  const { port, readsEnvFile, runtime, manager } = project
  const wrangler = runtime === 'workers' ? `${MANAGERS[manager].run} wrangler dev` : undefined
  const start = project.start ?? wrangler
  return {
    // Otherwise the report says how to start with the file of the environment.
    ...(start && (readsEnvFile || service.signedBy === 'key') && { start }),
    ...(test !== undefined && { test: testCommand(project, test, hasStore) }),
    ...(service.signedBy === 'key' && {
      keys: `npx webhook-receiver keys ${service.name}`,
      key: keyCommand(service, envFile),
    }),
    ...(service.signedBy !== 'nobody' && { send: sendCommand(service, port) }),
    ...(worker !== undefined && { work: workCommand(project, worker) }),
    real: [
      `real deliveries need the real ${service.variable}: ${envFile}.example says where it is`,
      ...(service.signsUrl
        ? [`and in ${route}, as publicUrl, the URL that you register at ${service.title}`]
        : []),
      ...(service.isExample
        ? [`and in ${route} the options of the scheme, which are an example`]
        : []),
    ],
  }
}

function testCommand(
  { runner, manager, dialect, isNew }: Project,
  path: string,
  hasStore: boolean,
): string {
  const { run } = MANAGERS[manager]
  if (isNew && runner === 'node') return `${manager} test`
  if (runner === 'vitest') return `${run} vitest run ${path}`
  if (runner === 'jest') return `${run} jest ${path}`
  if (runner === 'bun') return `bun test ${path}`
  if (runner === 'deno') return `deno test --allow-all ${path}`
  const program = programOf(dialect)
  // The connection of a store would keep the process.
  return `${program} --test ${hasStore ? '--test-force-exit ' : ''}${path}`
}

function workCommand({ runner, dialect }: Project, path: string): string {
  if (runner === 'bun') return `bun ${path}`
  if (runner === 'deno') return `deno run --allow-all --env-file ${path}`
  return `${programOf(dialect)} --env-file=.env ${path}`
}

/** Wrangler takes nothing from the shell. What is in the shell counts before what is in `.env`. */
function keyCommand({ name, variable }: Service, envFile: string): string {
  const key = `$(cat ${name}.pub)`
  return envFile === '.env'
    ? `export ${variable}="${key}"`
    : `echo "${variable}=\\"${key}\\"" >> ${envFile}`
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

function programOf({ language }: Project['dialect']): string {
  return language === 'ts' ? 'npx -y tsx' : 'node'
}
