import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Scheme } from '@webhook-receiver/core'
import { contract, misfitOf, SITE, suggestion } from '@webhook-receiver/core/internal'
import { codeOf, messageOf, UsageError } from '../console/index.ts'
import type { NamedScheme } from './named-scheme.ts'
import { TOKENS } from './tokens.ts'

/** The services of the guide about JWT whose scheme needs an account or an app, or is only there to copy. */
const TO_COPY = [
  ...['google-pubsub', 'google-cloud-tasks', 'app-store'],
  ...['plaid', 'netlify', 'fal', 'azure-event-grid'],
]

/** All schemes of `@webhook-receiver/schemes`, and those of `@webhook-receiver/jwt` that need no options, sorted by name. */
export async function allSchemes(): Promise<readonly NamedScheme[]> {
  const [services, { awsSns }, { withSamples }, tokens] = await Promise.all([
    import('@webhook-receiver/schemes'),
    import('@webhook-receiver/schemes/aws-sns'),
    import('@webhook-receiver/schemes/services'),
    import('@webhook-receiver/jwt'),
  ])
  const [schemes, jwt] = ['@webhook-receiver/schemes', '@webhook-receiver/jwt']
  const sns: NamedScheme = { exported: 'awsSns', from: `${schemes}/aws-sns`, scheme: awsSns() }
  return [...schemesIn(services, schemes), ...schemesIn(tokens, jwt), sns]
    .map((named) => ({ ...named, scheme: withSamples(named.scheme) }))
    .sort((one, other) => (one.scheme.name < other.scheme.name ? -1 : 1))
}

/**
 * The scheme of a name in either spelling, or of the path of a module.
 *
 * @throws UsageError for another name, and one that says what is wrong with the module.
 */
export async function findScheme(name: string): Promise<NamedScheme> {
  if (/[/\\]|\.[cm]?[jt]s$/.test(name)) return schemeOfModule(name)
  const schemes = await allSchemes()
  const own: NamedScheme = { exported: contract.name, scheme: contract }
  const found = [own, ...schemes].find((each) => isNamed(each, name))
  if (found) return found
  if (TO_COPY.includes(name)) {
    const page = name in TOKENS ? `services/${name}` : `guides/jwt#${name}`
    throw new UsageError(
      `The command cannot make the scheme of ${JSON.stringify(name)}: ${SITE}/${page} has the code to copy.`,
    )
  }
  const names = schemes.map(({ scheme }) => scheme.name)
  throw new UsageError(
    `There is no scheme ${JSON.stringify(name)}. ${suggestion(name, names)}The command \`schemes\` lists all. For another service, pass the path of a module that exports its scheme, such as ./acme.mjs.`,
  )
}

/** In either spelling, and in any case. */
export function isNamed({ exported, scheme }: NamedScheme, name: string): boolean {
  const given = name.toLowerCase()
  return given === exported.toLowerCase() || given === scheme.name
}

async function schemeOfModule(path: string): Promise<NamedScheme> {
  const module: object = await import(pathToFileURL(resolve(path)).href).catch((error: unknown) => {
    if (codeOf(error) === 'ERR_UNKNOWN_FILE_EXTENSION')
      throw new UsageError(
        `Node ${process.version} cannot load ${path}. Install tsx, and set NODE_OPTIONS='--import tsx' for this command.`,
      )
    const why = messageOf(error).replace(/ imported from .*/s, '')
    throw new UsageError(`The scheme cannot be loaded from ${path}: ${why}`)
  })
  const [found, ...others] = schemesIn(module)
  if (found && others.length === 0) {
    const misfit = misfitOf('scheme', found.scheme)
    if (misfit !== undefined) throw new UsageError(`${path} exports a scheme that ${misfit}`)
    return found
  }
  const names = [found, ...others].map((one) => one?.exported).join(', ')
  throw new UsageError(
    `${path} should export one scheme, made with defineScheme, but it exports ${found ? names : 'none'}.`,
  )
}

/** The same value may be exported under several names. */
function schemesIn(module: object, from?: string): readonly NamedScheme[] {
  const found = new Map(
    Object.entries(module).flatMap(([exported, value]: [string, unknown]) =>
      isScheme(value) ? [[value, { exported, from, scheme: value }] as const] : [],
    ),
  )
  return [...found.values()]
}

function isScheme(value: unknown): value is Scheme {
  return typeof value === 'object' && value !== null && 'readHead' in value && 'verify' in value
}
