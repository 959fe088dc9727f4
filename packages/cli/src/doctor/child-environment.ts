import type { CommandContext } from '../console/index.ts'
import { CREDENTIAL_VARIABLES } from '../options/index.ts'

/** In characters. What is shorter is in too many values that have nothing to do with it. */
const SHORTEST_PART = 8

/**
 * The environment for a command that somebody else wrote: without the variables that are named, those
 * that the CLI reads, and every other one that holds a value of theirs or `secret`.
 */
export function childEnvironment(
  env: CommandContext['env'],
  names: readonly string[],
  secret: string,
): CommandContext['env'] {
  const removed = [...CREDENTIAL_VARIABLES, ...names]
  const values = [...removed.map((name) => env[name] ?? ''), secret].filter(Boolean)
  const isHarmless = ([name, held = '']: readonly [string, string | undefined]) =>
    !removed.includes(name) &&
    !values.some((value) => (value.length < SHORTEST_PART ? held === value : held.includes(value)))
  return Object.fromEntries(Object.entries(env).filter(isHarmless))
}
