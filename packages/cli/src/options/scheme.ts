import { createReceiver, type Scheme, type SchemeKind } from '@webhook-receiver/core'
import { type NoSchemas, withoutOrigin } from '@webhook-receiver/core/adapter'
import { contract, isPublicUrl, type Secrets, sourceFor } from '@webhook-receiver/core/internal'
import { titleOf } from '@webhook-receiver/inspector/other-services'
import { asUsageError, type CommandContext, printable, UsageError } from '../console/index.ts'
import type { SchemeOptions } from './command.ts'
import { allSchemes, findScheme } from './find-scheme.ts'
import { allVariables, CREDENTIAL_VARIABLES } from './variables.ts'

/** The scheme with the options of a receiver that belong to it. */
export interface ChosenScheme {
  readonly scheme: Scheme
  readonly publicUrl: string | undefined
}

/** Without `--scheme`. */
export const CONTRACT: ChosenScheme = { scheme: contract, publicUrl: undefined }

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
      `--public-url is missing: ${titleOf(scheme)} signs the URL. Pass the one that your receiver has as \`publicUrl\`, such as https://example.com/hooks.`,
    )
  }
  if (publicUrl !== undefined && !scheme.signsUrl) {
    throw new UsageError(`Leave out --public-url: ${titleOf(scheme)} does not sign the URL.`)
  }
  return { scheme, publicUrl }
}

/** The events of which there are samples. */
export async function samplesOf({ name, events }: Scheme): Promise<readonly string[]> {
  if (events) return events
  const { serviceFile } = await import('@webhook-receiver/schemes/services')
  return Object.keys(serviceFile(name)?.samples ?? {})
}

/** The statuses that the service takes for success; `undefined`: any 2xx. */
export function successesOf({ success, replies }: Scheme): readonly string[] | undefined {
  if (success === undefined) return undefined
  const statuses = Object.keys(replies?.statuses ?? {}).filter((status) => status < '300')
  return [...new Set([String(success.status), ...statuses])]
}

/** @throws UsageError for a scheme by which only the service can sign. */
export function checkSigner(scheme: Scheme): void {
  if (scheme.sign) return
  throw new UsageError(
    `Only ${titleOf(scheme)} can sign its deliveries, with a private key that it keeps. Save one with listen --save, and send it with replay.`,
  )
}

/**
 * Checks that a secret signs: where receivers have a public key, it is a private one.
 *
 * @throws UsageError that says what to do.
 */
export async function checkSigningSecret(secret: string, scheme: Scheme): Promise<void> {
  try {
    await scheme.importKey(secret, 'The secret', 'sign')
  } catch (error) {
    asUsageError(() => {
      throw error
    })
  }
}

/** @throws UsageError for a secret, or another option of the receiver, that does not fit the scheme. */
export function checkReceiver(
  secrets: Exclude<Secrets, undefined>,
  rules: ChosenScheme & { readonly tolerance?: number | undefined },
): void {
  asUsageError(() =>
    createReceiver<Request, NoSchemas, never, SchemeKind>(sourceFor(rules.scheme, secrets), rules),
  )
}

/** What may be wrong where a receiver rejects a valid delivery: it expects those of another service, or has another public URL. */
export async function schemeAdvice(
  { scheme: given, publicUrl }: SchemeOptions,
  { pathname }: URL,
  context: Pick<CommandContext, 'env'>,
): Promise<string> {
  const parts = pathname.toLowerCase().split(/[^a-z]+/)
  const { scheme } = (await allSchemes()).find(({ scheme: { name } }) => parts.includes(name)) ?? {}
  const own = given && (await findScheme(given)).scheme.name
  if (scheme && scheme.name !== own)
    return ` Is it a receiver for ${scheme.title ?? scheme.name}? ${given ? 'Use' : 'Add'} --scheme ${scheme.name}.`
  const advice = given ? '' : await variableAdvice(context)
  if (advice) return advice
  return publicUrl ? ` Or its \`publicUrl\` is not ${publicUrl}.` : ''
}

/** Names the service whose variable is set, such as STRIPE_WEBHOOK_SECRET, to a command without --scheme. */
export async function variableAdvice(context: Pick<CommandContext, 'env'>): Promise<string> {
  const env = await allVariables(context)
  const { serviceFile } = await import('@webhook-receiver/schemes/services')
  const isSet = (variable = '') =>
    !CREDENTIAL_VARIABLES.includes(variable) && Boolean(env[variable])
  const found = (await allSchemes()).filter(({ scheme }) =>
    isSet(serviceFile(scheme.name)?.variable),
  )
  const [{ scheme } = {}] = found
  return scheme ? ` Is it a receiver for ${titleOf(scheme)}? Use --scheme ${scheme.name}.` : ''
}

/**
 * The path and query at which a request with `target` arrives behind `url`: those of the URL, or its own where the service signs them.
 *
 * @throws UsageError for a URL with a path where it cannot be used.
 */
export function targetAt(url: URL, scheme: Scheme, target = '/'): string {
  const own = `${url.pathname}${url.search}`
  if (!scheme.signsUrl) return own
  if (own !== '/') {
    throw new UsageError(
      `${url.href} should be an origin, such as ${url.origin}: ${titleOf(scheme)} signs the URL, so each delivery goes to the path and query that it was sent to.`,
    )
  }
  // A proxy would send a whole URL on to its host.
  const path = withoutOrigin(target)
  if (!path.startsWith('/')) throw new Error(`its target is not a path: ${printable(target)}`)
  return path
}
