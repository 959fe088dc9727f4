import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { messageOf, UsageError } from '../console/index.ts'
import { parsed } from '../options/index.ts'
import type { Dialect } from './code.ts'
import type { Layout } from './framework.ts'
import { FRAMEWORKS, type FrameworkName } from './frameworks.ts'
import { type Manager, managerOf } from './manager.ts'
import type { Runtime } from './receiver.ts'
import type { Runner } from './test-file.ts'

/** What a folder says of the application in it. */
export interface Project {
  /** Whether there is no application yet, or only what this command has written and nobody has installed. */
  readonly isNew: boolean
  readonly framework: FrameworkName
  readonly dialect: Dialect
  readonly layout: Layout
  readonly runtime: Runtime
  readonly runner: Runner
  readonly manager: Manager
  /** What starts its server, where package.json says it; where that listens, and whether it reads the file of the environment. */
  readonly start: string | undefined
  readonly port: number
  readonly readsEnvFile: boolean
  /** The packages that are named in package.json, without those that wait for their first installation. */
  readonly has: ReadonlySet<string>
}

interface Manifest {
  readonly name?: string
  readonly type?: string
  readonly scripts?: Readonly<Record<string, string>>
  readonly packageManager?: string
  readonly dependencies?: object
  readonly devDependencies?: object
}

/**
 * Reads what a folder is.
 *
 * @throws UsageError where package.json names no framework, or several, and none was given.
 */
export function readProject(
  folder: string,
  given: { readonly framework?: FrameworkName | undefined; readonly agent?: string | undefined },
): Project {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() === false)
    throw new UsageError(`--folder: ${folder} is not a folder.`)
  const manifest = manifestOf(folder)
  const isNew = manifest === undefined || isBegun(manifest)
  const named = new Set(Object.keys({ ...manifest?.dependencies, ...manifest?.devDependencies }))
  const has = isNew ? new Set<string>() : named
  const isThere = (...names: readonly string[]) =>
    names.some((name) => existsSync(join(folder, name)))
  const hasWrangler =
    has.has('wrangler') || isThere('wrangler.toml', 'wrangler.json', 'wrangler.jsonc')
  const framework =
    given.framework ?? frameworkOf(named, { isNew: manifest === undefined, hasWrangler, isThere })
  const isWorker = hasWrangler || framework === 'workers'
  const {
    isBundled = false,
    isDeno = false,
    onlyTypeScript = false,
    readsEnvFile = false,
  } = FRAMEWORKS[framework]
  const manager = isDeno ? 'deno' : managerOf(folder, manifest?.packageManager, given.agent)
  const isTyped =
    isNew || isDeno || onlyTypeScript || isThere('tsconfig.json') || has.has('typescript')
  const runtime = isWorker ? 'workers' : manager === 'bun' ? 'bun' : 'node'
  const isModule =
    isNew || isDeno || isBundled || runtime === 'workers' || manifest?.type === 'module'
  const module = isModule || (isTyped && isCompiledToModules(folder)) ? 'esm' : 'cjs'
  const isBun = manager === 'bun' || framework === 'bun' || framework === 'elysia'
  return {
    isNew,
    framework,
    dialect: {
      language: isTyped ? 'ts' : 'js',
      module,
      ending: isDeno ? '.ts' : !isTyped || (module === 'esm' && !isBundled) ? '.js' : '',
    },
    layout: {
      root: isThere('src') || (isNew && framework === 'nestjs') ? 'src/' : '',
      hasPagesOnly: isThere('pages', 'src/pages') && !isThere('app', 'src/app'),
      platform:
        has.has('@nestjs/platform-fastify') &&
        // `nest new` installs that of Express, which many leave there.
        (!has.has('@nestjs/platform-express') || isOnFastify(folder))
          ? 'fastify'
          : 'express',
    },
    runtime,
    runner:
      (['vitest', 'jest'] as const).find((name) => has.has(name)) ??
      (isDeno ? 'deno' : isBun ? 'bun' : 'node'),
    manager,
    start: startOf(manifest, manager),
    port: portOf(manifest, runtime),
    readsEnvFile:
      isNew ||
      readsEnvFile ||
      runtime !== 'node' ||
      manifest?.scripts?.start?.includes('--env-file') === true,
    has,
  }
}

/** What a new project names before it is installed: each package manager then writes its version. */
export const NOT_INSTALLED = '*'

/** Whether it is still as this command writes it. */
function isBegun({ name, scripts, dependencies, devDependencies }: Manifest): boolean {
  const versions = Object.values({ ...dependencies, ...devDependencies })
  const isOurs = name === undefined && scripts?.start !== undefined && versions.length > 0
  return isOurs && versions.every((each) => each === NOT_INSTALLED)
}

/** Reloading, as somebody writes the handler next. */
function startOf(manifest: Manifest | undefined, manager: Manager): string | undefined {
  const scripts: Manifest['scripts'] = manifest ? manifest.scripts : { start: '' }
  const found = ['dev', 'start:dev', 'start'].find((name) => scripts?.[name] !== undefined)
  if (manager === 'deno') return found && `deno task ${found}`
  return found && `${manager} ${manager === 'npm' && found === 'start' ? '' : 'run '}${found}`
}

/** What a new project says itself, then that of `wrangler dev`. */
function portOf(manifest: Manifest | undefined, runtime: Runtime): number {
  const given = /--port (\d+)/.exec(manifest?.scripts?.start ?? '')?.[1]
  return Number(given ?? (runtime === 'workers' && manifest ? 8787 : 3000))
}

/** What a server runs on: these count only if no framework is found. */
const HOSTS: readonly (readonly FrameworkName[])[] = [
  ['workers', 'aws-lambda'],
  ['node', 'bun'],
]
/** What NestJS runs on itself. */
const BELOW_NESTJS: readonly FrameworkName[] = ['express', 'fastify']

/** Of those that are found, one of the first group counts. Those of a group exclude one another. */
const GROUPS: readonly (readonly FrameworkName[])[] = [
  (Object.keys(FRAMEWORKS) as FrameworkName[]).filter((name) => !HOSTS.flat().includes(name)),
  ...HOSTS,
]

function frameworkOf(
  has: ReadonlySet<string>,
  {
    isNew,
    hasWrangler,
    isThere,
  }: { isNew: boolean; hasWrangler: boolean; isThere: (...names: string[]) => boolean },
): FrameworkName {
  if (isNew) return isThere('deno.json', 'deno.jsonc') ? 'deno' : 'express'
  const isFound = (name: FrameworkName): boolean =>
    FRAMEWORKS[name].foundBy.some((each) => has.has(each)) &&
    !(BELOW_NESTJS.includes(name) && isFound('nestjs'))
  for (const group of GROUPS) {
    const [found, ...others] = group.filter(isFound)
    if (found === undefined) continue
    if (others.length === 0) return found
    const all = [found, ...others]
    throw new UsageError(
      `package.json names ${all.map((name) => FRAMEWORKS[name].title).join(' and ')}: say which with --framework ${all.join(' or --framework ')}.`,
    )
  }
  if (hasWrangler) return 'workers'
  throw new UsageError(
    `package.json names no framework that is known here: say which with --framework ${Object.keys(FRAMEWORKS).join(', ')}.`,
  )
}

function manifestOf(folder: string): Manifest | undefined {
  const text = textOf(join(folder, 'package.json'))
  if (text === undefined) return undefined
  // npm takes a byte order mark, too.
  const { value, fault } = parsed(text.replace(/^\ufeff/, ''))
  if (fault === undefined) return Object(value)
  throw new UsageError(`${join(folder, 'package.json')} ${fault}. Repair it first.`)
}

function isOnFastify(folder: string): boolean {
  return textOf(join(folder, 'src/main.ts'))?.includes('FastifyAdapter') === true
}

/** Whether the compiler makes ES modules without `"type": "module"`. */
function isCompiledToModules(folder: string): boolean {
  const text = textOf(join(folder, 'tsconfig.json')) ?? ''
  const module = /^\s*"module"\s*:\s*"(\w+)"/im.exec(text)?.[1]
  return module !== undefined && /^(?:es\w+|preserve)$/i.test(module)
}

function textOf(path: string): string | undefined {
  try {
    return existsSync(path) ? readFileSync(path, 'utf8') : undefined
  } catch (error) {
    throw new UsageError(`${messageOf(error, path)}.`)
  }
}
