import type { CommandContext } from './command-context.ts'
import { CREDENTIAL_VARIABLES } from './credential.ts'

/** In characters. What is shorter is in too many values that have nothing to do with it. */
const SHORTEST_PART = 8

/**
 * The environment for a command that somebody else wrote: without the variables that are named, those
 * that the CLI reads, and every other one that holds a value of theirs or one of `credentials`.
 */
export function childEnvironment(
  env: CommandContext['env'],
  names: readonly string[],
  credentials: readonly string[],
): CommandContext['env'] {
  const removed = new Set([...CREDENTIAL_VARIABLES, ...names])
  const values = [...[...removed].map((name) => env[name] ?? ''), ...credentials]
  const spellings = values.filter((value) => value !== '').flatMap(spellingsOf)
  return Object.fromEntries(
    Object.entries(env).filter(
      ([name, value = '']) =>
        !removed.has(name) && !spellings.some((spelling) => holds(value, spelling)),
    ),
  )
}

/** A credential as it is, as it stands in a URL and as Base64. */
function spellingsOf(credential: string): readonly string[] {
  const bytes = Buffer.from(credential)
  return [
    credential,
    encodeURIComponent(credential),
    bytes.toString('base64').replace(/=+$/, ''),
    bytes.toString('base64url'),
  ]
}

function holds(value: string, spelling: string): boolean {
  return spelling.length < SHORTEST_PART ? value === spelling : value.includes(spelling)
}
