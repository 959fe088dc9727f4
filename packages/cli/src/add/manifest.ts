import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { messageOf, UsageError } from '../console/index.ts'
import { parsed } from '../options/index.ts'
import type { Manager } from './manager.ts'
import type { Runtime } from './parts.ts'

/** What is read of a package.json. */
export interface Manifest {
  readonly name?: string
  readonly type?: string
  readonly scripts?: Readonly<Record<string, string>>
  readonly packageManager?: string
  readonly dependencies?: object
  readonly devDependencies?: object
}

/** @throws UsageError where it is no JSON. */
export function manifestOf(folder: string): Manifest | undefined {
  const text = textOf(join(folder, 'package.json'))
  if (text === undefined) return undefined
  // npm takes a byte order mark, too.
  const { value, fault } = parsed(text.replace(/^\ufeff/, ''))
  if (fault === undefined) return Object(value)
  throw new UsageError(`${join(folder, 'package.json')} ${fault}. Repair it first.`)
}

/** What a new project names before it is installed: each package manager then writes its version. */
export const NOT_INSTALLED = '*'

/** Whether it is still as this command writes it. */
export function isBegun({ name, scripts, dependencies, devDependencies }: Manifest): boolean {
  const versions = Object.values({ ...dependencies, ...devDependencies })
  const isOurs = name === undefined && scripts?.start !== undefined && versions.length > 0
  return isOurs && versions.every((each) => each === NOT_INSTALLED)
}

/** Reloading, as somebody writes the handler next. */
export function startOf(manifest: Manifest | undefined, manager: Manager): string | undefined {
  const scripts: Manifest['scripts'] = manifest ? manifest.scripts : { start: '' }
  const found = ['dev', 'start:dev', 'start'].find((name) => scripts?.[name] !== undefined)
  if (manager === 'deno') return found && `deno task ${found}`
  return found && `${manager} ${manager === 'npm' && found === 'start' ? '' : 'run '}${found}`
}

/** What a new project says itself, then that of `wrangler dev`. */
export function portOf(manifest: Manifest | undefined, runtime: Runtime): number {
  const given = /--port (\d+)/.exec(manifest?.scripts?.start ?? '')?.[1]
  return Number(given ?? (runtime === 'workers' && manifest ? 8787 : 3000))
}

/**
 * The text of a file, where there is one.
 *
 * @throws UsageError where it cannot be read.
 */
export function textOf(path: string): string | undefined {
  try {
    return existsSync(path) ? readFileSync(path, 'utf8') : undefined
  } catch (error) {
    throw new UsageError(`${messageOf(error, path)}.`)
  }
}
