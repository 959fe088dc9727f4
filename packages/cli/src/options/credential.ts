import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import type { Scheme } from '@webhook-receiver/core'
import type { Secrets } from '@webhook-receiver/core/internal'
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
  CONTRACT,
  checkReceiver,
  checkSigningSecret,
  readScheme,
} from './scheme.ts'

const SECRET = 'WEBHOOK_SECRET'
const API_KEY = 'WEBHOOK_API_KEY'

/** Where a project keeps its variables while it is developed: on Node, and on Workers. */
const FILES = ['.env', '.dev.vars']

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
  const { name } = chosen.scheme
  const absent =
    publicFormOf(chosen.scheme) &&
    `There is no private key to sign with: make a pair with \`npx webhook-receiver keys ${name}\`, and add --secret-file ${name}.key.`
  const secret = await readSecrets({ ...options, absent }, context, chosen)
  if (typeof secret !== 'string') {
    throw new UsageError('--secret-env names several secrets, but only one can sign. Name one.')
  }
  checkSigningSecret(secret, chosen.scheme)
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

/** One secret, or several by the names of their variables, to verify with. */
async function readSecrets(
  options: Parameters<typeof readSecret>[0] & { readonly absent?: string | undefined },
  context: CommandContext,
  { scheme }: ChosenScheme,
): Promise<Exclude<Secrets, undefined>> {
  const { secretFile, secretEnv = [], url, absent } = options
  if (secretFile !== undefined && secretEnv.length > 0) {
    throw new UsageError('Use --secret-file or --secret-env, not both.')
  }
  if (secretEnv.length < 2) {
    const { name, value } = await findVariable(secretEnv[0], scheme, context)
    return read({ what: 'secret', name, value, path: secretFile, url, absent }, context)
  }
  return Object.fromEntries(
    secretEnv.map((name) => {
      const secret = context.env[name] ?? ''
      if (secret === '') throw new UsageError(`The environment variable ${name} is not set.`)
      return [name, secret]
    }),
  )
}

interface Variable {
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
  const names = named ? [named] : [serviceFile(name)?.variable ?? SECRET, SECRET]
  const places = [env, ...(await Promise.all(FILES.map(variablesIn)))]
  for (const place of places)
    for (const each of names) if (place[each]) return { name: each, value: place[each] }
  return { name: names[0] ?? SECRET, value: '' }
}

/** Those of a file such as `.env` in this folder. */
export async function variablesIn(path: string): Promise<CommandContext['env']> {
  return readFile(join(process.cwd(), path), 'utf8').then(parseEnv, () => ({}))
}

/** The API key of the service. */
export function readApiKey(
  { apiKeyFile }: { readonly apiKeyFile?: string | undefined },
  context: CommandContext,
): Promise<string> {
  const value = apiKeyFromEnv(context) ?? ''
  return read({ what: 'API key', name: API_KEY, value, path: apiKeyFile }, context)
}

/** The API key, if it is in the environment. */
export function apiKeyFromEnv({ env }: CommandContext): string | undefined {
  return env[API_KEY] === '' ? undefined : env[API_KEY]
}

async function read(
  {
    what,
    name,
    value,
    path,
    url,
    absent,
  }: Variable & {
    readonly what: 'secret' | 'API key'
    readonly path: string | undefined
    readonly url?: URL | undefined
    /** What is said where there is none. */
    readonly absent?: string | undefined
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
  throw new UsageError(
    absent ?? `There is no ${what}: set ${name} in the environment${file}, or use ${flag}.`,
  )
}
