import { printed } from './code.ts'
import type { Application, Framework } from './framework.ts'
import { FRAMEWORKS, type FrameworkName } from './frameworks.ts'
import type { Project } from './project.ts'
import type { Runner } from './test-file.ts'

/** A project in an empty folder, in TypeScript, for pages and checks. */
export function newProject(framework: FrameworkName, runner: Runner): Project {
  const { isBundled = false } = FRAMEWORKS[framework]
  return {
    isNew: true,
    framework,
    dialect: { language: 'ts', module: 'esm', ending: isBundled ? '' : '.js' },
    layout: { root: '', hasPagesOnly: false, platform: 'express' },
    runtime: framework === 'workers' ? 'workers' : 'node',
    runner,
    manager: 'npm',
    has: new Set(),
  }
}

/** The files of a project that has none. */
export function newFiles(
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
