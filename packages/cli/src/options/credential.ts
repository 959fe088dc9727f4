import type { Secrets } from '@webhook-receiver/core/internal'
import { listens } from '@webhook-receiver/emulator/internal'
import {
  type CommandContext,
  Failure,
  hiddenPrompt,
  messageOf,
  serverAdvice,
  tell,
  UsageError,
} from '../console/index.ts'
import type { SecretOptions, SigningOptions } from './command.ts'
import { readText } from './files.ts'
import { type ChosenScheme, CONTRACT, checkReceiver, readScheme } from './scheme.ts'

const SECRET = 'WEBHOOK_SECRET'
const API_KEY = 'WEBHOOK_API_KEY'

/** The variables that are read where no option names another. */
export const CREDENTIAL_VARIABLES: readonly string[] = [SECRET, API_KEY]

/**
 * One secret to sign with. One that no receiver takes, such as one in quotes, signs too, with a warning.
 *
 * @throws Failure where somebody would have to type it, and nothing listens at the URL.
 */
export async function readSecret(
  options: SecretOptions & { readonly url?: URL },
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
    tell(context.stderr, messageOf(error))
  }
  return secret
}

/** By what a command verifies. */
export interface Verifier extends ChosenScheme {
  readonly secrets: Exclude<Secrets, undefined>
  readonly tolerance: number | undefined
}

/** @throws UsageError for options that do not belong together. */
export async function readVerifier(
  options: SigningOptions & { readonly tolerance?: number | undefined },
  context: CommandContext,
): Promise<Verifier> {
  const secrets = await readSecrets(options, context)
  const rules = { ...(await readScheme(options)), tolerance: options.tolerance }
  checkReceiver(secrets, rules)
  return { ...rules, secrets }
}

/** One secret, or several by the names of their variables, to verify with. */
async function readSecrets(
  { secretFile, secretEnv = [], url }: Parameters<typeof readSecret>[0],
  context: CommandContext,
): Promise<Exclude<Secrets, undefined>> {
  const [name = SECRET, ...others] = secretEnv
  if (secretFile !== undefined && secretEnv.length > 0) {
    throw new UsageError('Use --secret-file or --secret-env, not both.')
  }
  if (others.length === 0) return read('secret', name, secretFile, context, url)
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
  url?: URL,
): Promise<string> {
  const flag = what === 'secret' ? '--secret-file' : '--api-key-file'
  if (path !== undefined) {
    // Editors and `echo` put a newline at the end.
    const text = (await readText(path, flag)).replace(/\r?\n$/, '')
    if (text === '') throw new UsageError(`${flag}: ${path} is empty.`)
    return text
  }
  const { env, stdin } = context
  let found = env[variable] ?? ''
  if (found === '' && stdin.isTTY) {
    if (url && !(await listens(url))) {
      throw new Failure(`Nothing listens at ${url.host}. ${serverAdvice(undefined)}`)
    }
    found = await hiddenPrompt(`${what} (not shown): `, context)
  }
  if (found !== '') return found
  throw new UsageError(`There is no ${what}: set ${variable} in the environment, or use ${flag}.`)
}
