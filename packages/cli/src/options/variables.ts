import { statSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import type { Scheme } from '@webhook-receiver/core'
import type { CommandContext } from '../console/index.ts'
import { readText } from './files.ts'
import { TOKENS } from './tokens.ts'

const SECRET = 'WEBHOOK_SECRET'
export const API_KEY = 'WEBHOOK_API_KEY'

/** Where a project keeps its variables while it is developed: on Node, and on Workers. */
const FILES = ['.env', '.dev.vars']

/** The variables that are read where no option names another. */
export const CREDENTIAL_VARIABLES: readonly string[] = [SECRET, API_KEY]

export interface Variable {
  readonly name: string
  /** Empty if it is not set. */
  readonly value: string
}

/**
 * The named variable, or that of the service, such as SLACK_SIGNING_SECRET, or else WEBHOOK_SECRET: in the environment, or in the file of a
 * project that is here.
 */
export async function findVariable(
  named: string | undefined,
  { name }: Scheme,
  { env }: CommandContext,
): Promise<Variable> {
  const { serviceFile } = await import('@webhook-receiver/schemes/services')
  const own = named ?? serviceFile(name)?.variable ?? TOKENS[name]?.variable ?? SECRET
  // Where the service's own is set to nothing, that is the mistake, which another secret would hide.
  const names = named || env[own] === '' ? [own] : [own, SECRET]
  const places = [async () => env, ...FILES.map((path) => () => variablesIn(path))]
  for (const variables of places) {
    const place = await variables()
    for (const each of names) if (place[each]) return { name: each, value: place[each] }
  }
  return { name: own, value: '' }
}

/** All that a command finds: those of the environment count before those of a file. */
export async function allVariables({
  env,
}: Pick<CommandContext, 'env'>): Promise<CommandContext['env']> {
  // What is only advised needs no file that can be read.
  const files = FILES.toReversed().map((path) => variablesIn(path).catch(() => ({})))
  return Object.assign({}, ...(await Promise.all(files)), env)
}

/** Those of a file such as `.env` in this folder. */
export async function variablesIn(path: string): Promise<CommandContext['env']> {
  const file = join(process.cwd(), path)
  // A folder of this name has packages of Python.
  if (statSync(file, { throwIfNoEntry: false })?.isDirectory() !== false) return {}
  return parseEnv(await readText(file, path))
}

/** The API key, if it is in the environment. */
export function apiKeyFromEnv({ env }: CommandContext): string | undefined {
  return env[API_KEY] === '' ? undefined : env[API_KEY]
}
