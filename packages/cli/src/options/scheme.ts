import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { createReceiver, type Scheme, type SchemeKind } from '@webhook-receiver/core'
import type { NoSchemas } from '@webhook-receiver/core/adapter'
import { contract, isPublicUrl, type Secrets } from '@webhook-receiver/core/internal'
import { codeOf, messageOf, printable, UsageError } from '../console/index.ts'
import type { SchemeOptions } from './command.ts'

/** The scheme with the options of a receiver that belong to it. */
export interface ChosenScheme {
  readonly scheme: Scheme
  readonly publicUrl: string | undefined
}

/** Without `--scheme`. */
export const CONTRACT: ChosenScheme = { scheme: contract, publicUrl: undefined }

/** A scheme with the name under which `@webhook-receiver/schemes` exports it. */
export interface NamedScheme {
  readonly exported: string
  readonly scheme: Scheme
}

/**
 * The scheme that the options name. Without `--scheme`, nothing is loaded.
 *
 * @throws UsageError that lists the names there are, or says what is wrong with the module or the URL.
 */
export async function readScheme({
  scheme: name,
  publicUrl,
}: SchemeOptions): Promise<ChosenScheme> {
  const scheme = name === undefined ? contract : (await findScheme(name)).scheme
  if (publicUrl !== undefined && !isPublicUrl(publicUrl)) {
    throw new UsageError(
      '--public-url should be a URL, such as https://example.com/hooks, or an origin, such as https://example.com.',
    )
  }
  if (scheme.signsUrl && publicUrl === undefined) {
    throw new UsageError(
      `--public-url is missing: ${scheme.name} signs the URL. Pass the one that it was given, such as https://example.com/hooks.`,
    )
  }
  if (publicUrl !== undefined && !scheme.signsUrl) {
    throw new UsageError(`Leave out --public-url: ${scheme.name} does not sign the URL.`)
  }
  return { scheme, publicUrl }
}

/** The events of which there are samples. */
export async function samplesOf({ name, events }: Scheme): Promise<readonly string[]> {
  if (events) return events
  const { serviceFile } = await import('@webhook-receiver/schemes/services')
  return Object.keys(serviceFile(name)?.samples ?? {})
}

/** @throws UsageError for a scheme by which only the service can sign. */
export function checkSigner(scheme: Scheme): void {
  if (scheme.sign) return
  throw new UsageError(
    `Only ${scheme.name} can sign its deliveries, with a private key that it keeps. Save one with listen --save, and send it with replay.`,
  )
}

/** @throws UsageError for a secret, or another option of the receiver, that does not fit the scheme. */
export function checkReceiver(
  secrets: Exclude<Secrets, undefined>,
  rules: ChosenScheme & { readonly tolerance?: number | undefined },
): void {
  try {
    createReceiver<Request, NoSchemas, never, SchemeKind>(secrets, rules)
  } catch (error) {
    if (error instanceof TypeError) {
      throw new UsageError(error.message.replace('`tolerance`', '--tolerance'))
    }
    throw error
  }
}

/** What may be wrong where a receiver rejects a valid delivery: it expects those of a service. */
export async function schemeAdvice(
  { scheme: given }: SchemeOptions,
  { pathname }: URL,
): Promise<string> {
  if (given !== undefined) return ''
  const parts = pathname.toLowerCase().split(/[^a-z]+/)
  const found = (await allSchemes()).find(({ scheme: { name } }) => parts.includes(name))
  return found
    ? ` Is it a receiver for ${found.scheme.title ?? found.scheme.name}? Add --scheme ${found.scheme.name}.`
    : ''
}

/**
 * The path and query at which a request with `target` arrives behind `url`: those of the URL, or its own where the service signs them.
 *
 * @throws UsageError for a URL with a path where it cannot be used.
 */
export function targetAt(url: URL, { name, signsUrl }: Scheme, target = '/'): string {
  const own = `${url.pathname}${url.search}`
  if (!signsUrl) return own
  if (own !== '/') {
    throw new UsageError(
      `${url.href} should be an origin, such as ${url.origin}: ${name} signs the URL, so each delivery goes to the path and query that it was sent to.`,
    )
  }
  // A proxy would send a whole URL on to its host.
  if (!target.startsWith('/')) throw new Error(`its target is not a path: ${printable(target)}`)
  return target
}

/** All schemes of `@webhook-receiver/schemes`, sorted by name. */
export async function allSchemes(): Promise<readonly NamedScheme[]> {
  const [services, { awsSns }, { withSamples }] = await Promise.all([
    import('@webhook-receiver/schemes'),
    import('@webhook-receiver/schemes/aws-sns'),
    import('@webhook-receiver/schemes/services'),
  ])
  return [...schemesIn(services), { exported: 'awsSns', scheme: awsSns() }]
    .map(({ exported, scheme }) => ({ exported, scheme: withSamples(scheme) }))
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
  const found = [own, ...schemes].find(
    ({ exported, scheme }) => name === exported || name === scheme.name,
  )
  if (found) return found
  throw new UsageError(
    `There is no scheme ${JSON.stringify(name)}: the command \`schemes\` lists all. For another service, pass the path of a module that exports its scheme, such as ./acme.mjs.`,
  )
}

async function schemeOfModule(path: string): Promise<NamedScheme> {
  const module: object = await import(pathToFileURL(resolve(path)).href).catch((error: unknown) => {
    if (codeOf(error) === 'ERR_UNKNOWN_FILE_EXTENSION')
      throw new UsageError(
        `Node ${process.version} cannot load ${path}. Install tsx, and set NODE_OPTIONS='--import tsx' for this command.`,
      )
    throw new UsageError(`The scheme cannot be loaded from ${path}: ${messageOf(error)}`)
  })
  const [found, ...others] = schemesIn(module)
  if (found && others.length === 0) return found
  const names = [found, ...others].map((one) => one?.exported).join(', ')
  throw new UsageError(
    `${path} should export one scheme, made with defineScheme, but it exports ${found ? names : 'none'}.`,
  )
}

/** The same value may be exported under several names. */
function schemesIn(module: object): readonly NamedScheme[] {
  const found = new Map(
    Object.entries(module).flatMap(([exported, value]: [string, unknown]) =>
      isScheme(value) ? [[value, { exported, scheme: value }] as const] : [],
    ),
  )
  return [...found.values()]
}

function isScheme(value: unknown): value is Scheme {
  return typeof value === 'object' && value !== null && 'readHead' in value && 'verify' in value
}
