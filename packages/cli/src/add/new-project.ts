import { printed } from './code.ts'
import type { Application, Framework } from './framework.ts'
import { FRAMEWORKS, type FrameworkName } from './frameworks/index.ts'
import { NOT_INSTALLED } from './manifest.ts'
import type { Project } from './project.ts'
import type { Runner } from './test-file.ts'

/** A project in an empty folder, in TypeScript, for pages and checks. */
export function newProject(framework: FrameworkName, runner: Runner): Project {
  const { isBundled = false, isDeno = false } = FRAMEWORKS[framework]
  return {
    isNew: true,
    framework,
    dialect: { language: 'ts', module: 'esm', ending: isDeno ? '.ts' : isBundled ? '' : '.js' },
    layout: { root: '', hasPagesOnly: false, platform: 'express' },
    runtime: framework === 'workers' ? 'workers' : 'node',
    runner,
    manager: isDeno ? 'deno' : 'npm',
    start: 'npm start',
    port: 3000,
    readsEnvFile: true,
    has: new Set(),
  }
}

/** The files of a project that has none. */
export function newFiles(
  framework: Framework,
  { server, adapter }: Application,
  { runner, dialect }: Project,
  tests: string,
): readonly (readonly [string, string])[] {
  const { start, settings = {}, compiler = { types: ['node'] }, isDeno = false } = framework
  const main = server ? `${server.path}.${dialect.language}` : ''
  const scripts = {
    start: start ?? `tsx --env-file=.env ${main}`,
    // The tests of all services. The connection of a store would keep the process.
    test:
      runner === 'bun'
        ? 'bun test'
        : isDeno
          ? 'deno test --allow-all'
          : `tsx --test --test-force-exit ${tests.replace(/(?<=webhooks\/)[\w-]+/, '*')}`,
  }
  const manifest = { private: true, type: 'module', scripts, ...namesOf(framework, adapter) }
  const compilerOptions = {
    ...{ target: 'es2022', module: 'nodenext', strict: true, noEmit: true, skipLibCheck: true },
    ...compiler,
  }
  if (isDeno)
    return [
      ['deno.json', json({ tasks: scripts })],
      ['.gitignore', 'node_modules\n.env\n'],
      [main, server ? printed(server.code, dialect) : ''],
    ]
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

/** What tells the framework before anything is installed: one of its packages, or our adapter. */
function namesOf({ foundBy, packages }: Framework, adapter: string): object {
  const named = (names: readonly string[]) => names.filter((name) => foundBy.includes(name))
  const rangesOf = (names: readonly string[]) =>
    Object.fromEntries(names.map((name) => [name, NOT_INSTALLED]))
  const runs = named([...packages.run, `@webhook-receiver/${adapter}`])
  return runs.length > 0
    ? { dependencies: rangesOf(runs) }
    : { devDependencies: rangesOf(named(packages.develop)) }
}
