import type { Scheme } from '@webhook-receiver/core'
import type { Secrets } from '@webhook-receiver/core/internal'
import { definedSecrets } from '@webhook-receiver/inspector/verification'
import { sharesSecret } from '@webhook-receiver/schemes/neighbours'
import type { CommandContext, StartRow } from '../console/index.ts'
import { findVariable, fingerprintOf, type SigningOptions, signingFlags } from '../options/index.ts'

interface Started extends SigningOptions {
  /** `undefined`: nothing is verified. */
  readonly secrets: Secrets
  readonly save: string | undefined
  readonly to: URL | undefined
}

/** What is said of a server that listens at a URL. */
export async function startRows(
  url: string,
  { secrets, save, to, ...options }: Started,
  scheme: Scheme,
  context: CommandContext,
): Promise<readonly StartRow[]> {
  const secret = await secretPlace({ ...options, secrets }, scheme, context)
  return [
    ['Listening on', url],
    ['Forwards to', to?.href],
    ['Secret', secret],
    ['Service', options.scheme && scheme.name],
    ['Saves to', save],
    ['Try', secrets === undefined ? undefined : sendLine(url, options, scheme)],
  ]
}

/** Where the secret is from, and its fingerprint, to be compared with that of a server. */
async function secretPlace(
  { secrets, secretFile, secretEnv }: Pick<Started, 'secrets' | 'secretFile' | 'secretEnv'>,
  scheme: Scheme,
  context: CommandContext,
): Promise<string> {
  if (secrets === undefined) return 'none: nothing is verified'
  const named = secretFile ?? secretEnv?.join(', ')
  const place = named ?? (await findVariable(undefined, scheme, context)).name
  const [first, ...others] = Object.values(definedSecrets(secrets)).map(fingerprintOf)
  const digests = others.length > 0 ? `s ${[first, ...others].join(', ')}` : ` ${first}`
  return `from ${place} (fingerprint${digests})`
}

/** The command that sends a delivery here, if it can sign for the service. */
function sendLine(url: string, options: SigningOptions, scheme: Scheme): string | undefined {
  if (!scheme.sign || !sharesSecret(scheme) || scheme.signsUrl) return undefined
  const flags = signingFlags({ ...options, secretEnv: options.secretEnv?.slice(0, 1) })
  return `npx webhook-receiver send ${url}${flags}`
}
