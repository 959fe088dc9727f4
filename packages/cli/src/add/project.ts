import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { UsageError } from '../console/index.ts'
import type { Dialect } from './code.ts'
import { frameworkOf } from './found-framework.ts'
import type { Layout } from './framework.ts'
import { FRAMEWORKS, type FrameworkName } from './frameworks/index.ts'
import { type Manager, managerOf } from './manager.ts'
import { isBegun, manifestOf, portOf, startOf, textOf } from './manifest.ts'
import type { Runtime } from './parts.ts'
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
  // Next.js looks for no route in src where one of these is beside it.
  const ignoresSource = framework === 'next' && isThere('app', 'pages')
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
      root: (isThere('src') && !ignoresSource) || (isNew && framework === 'nestjs') ? 'src/' : '',
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
      String(manifest?.scripts?.start).includes('--env-file'),
    has,
  }
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
