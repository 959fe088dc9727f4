import { readFile } from 'node:fs/promises'
import type { Secrets } from '@webhook-receiver/core/internal'
import { type CommandContext, hiddenPrompt, messageOf, UsageError } from '../console/index.ts'
import { type ChosenScheme, CONTRACT, checkReceiver } from './scheme.ts'

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

/** The flags of SecretOptions with their descriptions: `env` to sign with one secret, `envs` to verify with several. */
export const SECRET_FLAGS = {
  file: ['--secret-file <path>', 'read the secret from this file'],
  env: [
    '--secret-env <name>',
    'read the secret from this environment variable (default: WEBHOOK_SECRET, or a prompt)',
  ],
  envs: [
    '--secret-env <names>',
    'read one or more secrets from these environment variables (default: WEBHOOK_SECRET, or a prompt)',
  ],
} as const

/** One secret to sign with. One that no receiver takes, such as one in quotes, signs too, with a warning. */
export async function readSecret(
  options: SecretOptions,
  context: CommandContext,
  chosen: ChosenScheme = CONTRACT,
): Promise<string> {
  const secret = await readSecrets(options, context)
  if (typeof secret !== 'string') {
    throw new UsageError('--secret-env names several secrets, but only one can sign. Name one.')
  }
  try {
    checkReceiver(secret, chosen)
  } catch (error) {
    context.stderr.write(`${messageOf(error)}\n`)
  }
  return secret
}

/** One secret, or several by the names of their variables, to verify with. */
export async function readSecrets(
  { secretFile, secretEnv = [] }: SecretOptions,
  context: CommandContext,
): Promise<Exclude<Secrets, undefined>> {
  const [name = SECRET, ...others] = secretEnv
  if (secretFile !== undefined && secretEnv.length > 0) {
    throw new UsageError('Use --secret-file or --secret-env, not both.')
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

/** The API key of the service. */
export function readApiKey(
  { apiKeyFile }: { readonly apiKeyFile?: string | undefined },
  context: CommandContext,
): Promise<string> {
  return read('API key', API_KEY, apiKeyFile, context)
}

/** The API key, if it is in the environment. */
export function apiKeyFromEnv({ env }: CommandContext): string | undefined {
  return env[API_KEY] === '' ? undefined : env[API_KEY]
}

async function read(
  what: 'secret' | 'API key',
  variable: string,
  path: string | undefined,
  context: CommandContext,
): Promise<string> {
  const flag = what === 'secret' ? '--secret-file' : '--api-key-file'
  const found =
    path === undefined
      ? (context.env[variable] ?? '') || (await prompt(what, context))
      : await readFirstLine(flag, path)
  if (found !== '') return found
  throw new UsageError(
    path === undefined
      ? `There is no ${what}: set ${variable} in the environment, or use ${flag}.`
      : `${flag}: ${path} is empty.`,
  )
}

async function prompt(what: string, context: CommandContext): Promise<string> {
  return context.stdin.isTTY ? hiddenPrompt(`${what} (not shown): `, context) : ''
}

/** Without the newline at the end, which editors and `echo` put there. */
async function readFirstLine(flag: string, path: string): Promise<string> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw new UsageError(`${flag} cannot be read: ${messageOf(error)}.`)
  })
  return text.replace(/\r?\n$/, '')
}
