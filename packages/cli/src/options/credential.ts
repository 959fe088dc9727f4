import { createHash } from 'node:crypto'
import { contract, type Secrets } from '@webhook-receiver/core/internal'
import { listens, receiverSecret } from '@webhook-receiver/emulator/internal'
import { publicFormOf } from '@webhook-receiver/schemes/neighbours'
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
import {
  type ChosenScheme,
  checkReceiver,
  checkSigningSecret,
  readScheme,
  variableAdvice,
} from './scheme.ts'
import { API_KEY, apiKeyFromEnv, findVariable, type Variable } from './variables.ts'

/**
 * One secret to sign with. One that no receiver takes, such as one in quotes, signs too, with a warning.
 *
 * @throws Failure where somebody would have to type it, and nothing listens at the URL.
 */
export async function readSecret(
  options: SecretOptions & { readonly url?: URL },
  context: CommandContext,
  chosen: ChosenScheme,
): Promise<string> {
  const { name } = chosen.scheme
  const absent =
    publicFormOf(chosen.scheme) &&
    `There is no private key to sign with: make a pair with \`npx webhook-receiver keys ${name}\`, and add --secret-file ${name}.key.`
  if ((options.secretEnv?.length ?? 0) > 1) {
    throw new UsageError('--secret-env names several secrets, but only one can sign. Name one.')
  }
  const secret = await readOne({ ...options, absent }, context, chosen)
  await checkSigningSecret(secret, chosen.scheme)
  try {
    checkReceiver(receiverSecret(chosen.scheme, secret), chosen)
  } catch (error) {
    tell(context.stderr, messageOf(error))
  }
  return secret
}

/** A secret as the log of a receiver shows it. */
export function fingerprintOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex').slice(0, 8)
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
  const rules = { ...(await readScheme(options)), tolerance: options.tolerance }
  const secrets = await readSecrets(options, context, rules)
  checkReceiver(secrets, rules)
  return { ...rules, secrets }
}

async function readOne(
  options: Parameters<typeof readSecret>[0] & { readonly absent?: string | undefined },
  context: CommandContext,
  { scheme }: ChosenScheme,
): Promise<string> {
  const { secretFile: path, secretEnv: [named] = [], url, absent } = options
  if (path !== undefined && named !== undefined) {
    throw new UsageError('Use --secret-file or --secret-env, not both.')
  }
  const asked = { what: 'secret', path, url, absent } as const
  if (path !== undefined) return read({ name: '', value: '', ...asked }, context)
  const variable = await findVariable(named, scheme, context)
  const isUnnamed = variable.value === '' && named === undefined && scheme === contract
  const advice = isUnnamed && !context.stdin.isTTY ? await variableAdvice(context.env) : ''
  return read({ ...variable, ...asked, advice }, context)
}

/** One secret, or several by the names of their variables, to verify with. */
async function readSecrets(
  options: SecretOptions,
  context: CommandContext,
  chosen: ChosenScheme,
): Promise<Exclude<Secrets, undefined>> {
  const { secretFile, secretEnv = [] } = options
  if (secretFile !== undefined || secretEnv.length < 2) return readOne(options, context, chosen)
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
  const value = apiKeyFromEnv(context) ?? ''
  return read({ what: 'API key', name: API_KEY, value, path: apiKeyFile }, context)
}

async function read(
  {
    what,
    name,
    value,
    path,
    url,
    absent,
    advice = '',
  }: Variable & {
    readonly what: 'secret' | 'API key'
    readonly path: string | undefined
    readonly url?: URL | undefined
    /** What is said where there is none. */
    readonly absent?: string | undefined
    /** What is added to that. */
    readonly advice?: string
  },
  context: CommandContext,
): Promise<string> {
  const flag = what === 'secret' ? '--secret-file' : '--api-key-file'
  if (path !== undefined) {
    // Editors and `echo` put a newline at the end.
    const text = (await readText(path, flag)).replace(/\r?\n$/, '')
    if (text === '') throw new UsageError(`${flag}: ${path} is empty.`)
    return text
  }
  if (value !== '') return value
  if (context.stdin.isTTY) {
    if (url && !(await listens(url))) {
      throw new Failure(`Nothing listens at ${url.host}. ${serverAdvice(undefined)}`)
    }
    const typed = await hiddenPrompt(`${what} (not shown): `, context)
    if (typed !== '') return typed
  }
  const file = what === 'secret' ? ' or .env' : ''
  const why =
    context.env[name] === '' ? `${name} is empty: set it` : `There is no ${what}: set ${name}`
  throw new UsageError(absent ?? `${why} in the environment${file}, or use ${flag}.${advice}`)
}
