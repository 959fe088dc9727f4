import { readFile } from 'node:fs/promises'
import type { Secrets } from '@webhook-receiver/core'
import type { CommandContext } from './command-context.ts'
import { said, UsageError } from './failure.ts'
import { hiddenPrompt } from './hidden-prompt.ts'

/** Where the secret comes from, as the options of a command say it. */
export interface SecretOptions {
  readonly secretFile?: string | undefined
  /** Names of environment variables. */
  readonly secretEnv?: readonly string[] | undefined
}

const SECRET = 'WEBHOOK_SECRET'
const API_KEY = 'WEBHOOK_API_KEY'

/** The variables that are read where no option names another. */
export const CREDENTIAL_VARIABLES: readonly string[] = [SECRET, API_KEY]

/** The flags of SecretOptions, as they are described in help. */
export const SECRET_FLAGS: {
  readonly file: readonly ['--secret-file <path>', description: string]
  readonly env: readonly ['--secret-env <names>', description: string]
} = {
  file: ['--secret-file <path>', 'read the secret from this file'],
  env: ['--secret-env <names>', `read it from these environment variables (default: ${SECRET})`],
}

/** One secret to sign with. */
export async function readSecret(options: SecretOptions, context: CommandContext): Promise<string> {
  const secrets = await readSecrets(options, context)
  if (typeof secrets === 'string') return secrets
  throw new UsageError('Several secrets are named, and one signs: name one in --secret-env.')
}

/** One secret, or several by the names of their variables, to verify with. */
export async function readSecrets(
  { secretFile, secretEnv = [] }: SecretOptions,
  context: CommandContext,
): Promise<Exclude<Secrets, undefined>> {
  const [name = SECRET, ...others] = secretEnv
  if (secretFile !== undefined && secretEnv.length > 0) {
    throw new UsageError('Give --secret-file or --secret-env, not both.')
  }
  if (others.length === 0) return read('secret', name, secretFile, context)
  return Object.fromEntries(
    secretEnv.map((name) => {
      const secret = context.env[name] ?? ''
      if (secret === '') throw new UsageError(`The environment variable ${name} is not set.`)
      return [name, secret]
    }),
  )
}

/** The key for the service. */
export function readApiKey(
  { apiKeyFile }: { readonly apiKeyFile?: string | undefined },
  context: CommandContext,
): Promise<string> {
  return read('API key', API_KEY, apiKeyFile, context)
}

/** The key for the service, where one happens to be in the environment. */
export function apiKeyAtHand({ env }: CommandContext): string | undefined {
  return env[API_KEY] === '' ? undefined : env[API_KEY]
}

async function read(
  what: 'secret' | 'API key',
  variable: string,
  path: string | undefined,
  context: CommandContext,
): Promise<string> {
  const found =
    path === undefined
      ? (context.env[variable] ?? '') || (await asked(what, context))
      : await readFirstLine(path)
  if (found !== '') return found
  const flag = what === 'secret' ? '--secret-file' : '--api-key-file'
  throw new UsageError(
    path === undefined
      ? `There is no ${what}: set ${variable} in the environment, or name a file with ${flag}.`
      : `${flag}: ${path} is empty.`,
  )
}

async function asked(what: string, context: CommandContext): Promise<string> {
  return context.stdin.isTTY ? hiddenPrompt(`${what} (not shown): `, context) : ''
}

/** Without the newline at the end, which editors and `echo` put there. */
async function readFirstLine(path: string): Promise<string> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw new UsageError(`The file cannot be read: ${said(error)}.`)
  })
  return text.replace(/\r?\n$/, '')
}
