import { contract, type Secrets } from '@webhook-receiver/core/internal'
import { listens } from '@webhook-receiver/emulator/internal'
import {
  type CommandContext,
  Failure,
  hiddenPrompt,
  serverAdvice,
  UsageError,
} from '../console/index.ts'
import type { SecretOptions } from './command.ts'
import { readText } from './files.ts'
import { type ChosenScheme, variableAdvice } from './scheme.ts'
import { API_KEY, apiKeyFromEnv, findVariable, type Variable } from './variables.ts'

/** What was read, and where, unless it was typed. */
interface Credential {
  readonly text: string
  readonly place?: string
}

/** One secret. `absent` is said where there is none. */
export async function readOne(
  options: SecretOptions & { readonly url?: URL; readonly absent?: string | undefined },
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
  const advice = isUnnamed ? await variableAdvice(context) : ''
  return read({ ...variable, ...asked, advice }, context)
}

/** One secret, or several by the names of their variables, to verify with. */
export async function readSecrets(
  options: SecretOptions,
  context: CommandContext,
  chosen: ChosenScheme,
): Promise<{ readonly secrets: Exclude<Secrets, undefined>; readonly place?: string | undefined }> {
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
    if (advice) context.stderr.write(`${advice.trim()}\n`)
    const typed = await hiddenPrompt(`${what} (not shown): `, context)
    if (typed !== '') return { text: typed }
  }
  throw new UsageError(absent ?? `${missing(name, what, context)}, or use ${flag}.${advice}`)
}
