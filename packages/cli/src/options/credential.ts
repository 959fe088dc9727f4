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
  const { text: secret, place } = await readOne({ ...options, absent }, context, chosen)
  await naming(place, () => checkSigningSecret(secret, chosen.scheme))
  try {
    await naming(place, () => checkReceiver(receiverSecret(chosen.scheme, secret), chosen))
  } catch (error) {
    tell(context.stderr, messageOf(error))
  }
  return secret
}

/** What is checked calls it the secret; here it has a place, which is to be corrected. */
async function naming(place: string | undefined, check: () => Promise<void> | void): Promise<void> {
  try {
    await check()
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    const said = error.message.replace(
      /^The secret(?: of the endpoint ".*?")?(?: named "(.*?)")?(?= )/,
      (called, name = place ?? called) => name,
    )
    throw new UsageError(/[.?]$/.test(said) ? said : `${said}.`)
  }
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
  const { secrets, place } = await readSecrets(options, context, rules)
  await naming(place, () => checkReceiver(secrets, rules))
  return { ...rules, secrets }
}

/** What was read, and where, unless it was typed. */
interface Credential {
  readonly text: string
  readonly place?: string
}

async function readOne(
  options: Parameters<typeof readSecret>[0] & { readonly absent?: string | undefined },
  context: CommandContext,
  { scheme }: ChosenScheme,
): Promise<Credential> {
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
): Promise<{ readonly secrets: Verifier['secrets']; readonly place?: string | undefined }> {
  const { secretFile, secretEnv = [] } = options
  if (secretFile !== undefined || secretEnv.length < 2) {
    const { text, place } = await readOne(options, context, chosen)
    return { secrets: text, place }
  }
  const found = secretEnv.map((name) => findVariable(name, chosen.scheme, context))
  const named = (await Promise.all(found)).map(({ name, value }) => {
    if (value === '') throw new UsageError(`${missing(name, 'secret', context)}.`)
    return [name, value]
  })
  return { secrets: Object.fromEntries(named) }
}

/** The API key of the service. */
export async function readApiKey(
  { apiKeyFile }: { readonly apiKeyFile?: string | undefined },
  context: CommandContext,
): Promise<string> {
  const value = apiKeyFromEnv(context) ?? ''
  return (await read({ what: 'API key', name: API_KEY, value, path: apiKeyFile }, context)).text
}

/** What to do where a variable is not set. */
function missing(name: string, what: 'secret' | 'API key', { env }: CommandContext): string {
  const why = env[name] === '' ? `${name} is empty: set it` : `There is no ${what}: set ${name}`
  return `${why} in the environment${what === 'secret' ? ' or .env' : ''}`
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
): Promise<Credential> {
  const flag = what === 'secret' ? '--secret-file' : '--api-key-file'
  if (path !== undefined) {
    // Editors and `echo` put a newline at the end.
    const text = (await readText(path, flag)).replace(/\r?\n$/, '')
    if (text === '') throw new UsageError(`${flag}: ${path} is empty.`)
    return { text, place: `${flag}: ${path}` }
  }
  if (value !== '') return { text: value, place: name }
  if (context.stdin.isTTY) {
    if (url && !(await listens(url))) {
      throw new Failure(`Nothing listens at ${url.host}. ${serverAdvice(undefined)}`)
    }
    const typed = await hiddenPrompt(`${what} (not shown): `, context)
    if (typed !== '') return { text: typed }
  }
  throw new UsageError(absent ?? `${missing(name, what, context)}, or use ${flag}.${advice}`)
}
