import { createHash } from 'node:crypto'
import type { Secrets } from '@webhook-receiver/core/internal'
import { receiverSecret } from '@webhook-receiver/emulator/internal'
import { publicFormOf } from '@webhook-receiver/schemes/neighbours'
import { type CommandContext, messageOf, tell, UsageError } from '../console/index.ts'
import type { SecretOptions, SigningOptions } from './command.ts'
import { readOne, readSecrets } from './read-secret.ts'
import { type ChosenScheme, checkReceiver, checkSigningSecret, readScheme } from './scheme.ts'

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
    const received = receiverSecret(chosen.scheme, secret)
    await naming(place, () => checkReceiver(placed(received, place), chosen))
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
    const said = withPlace(error.message, place)
    throw new UsageError(/[.?]$/.test(said) ? said : `${said}.`)
  }
}

/** What is said of a secret, with its place instead of its endpoint and name. */
export function withPlace(said: string, place?: string): string {
  return said.replace(
    /^The secret(?: of the endpoint ".*?")?(?: named "(.*?)")?(?= )/,
    (called, name = place ?? called) => name,
  )
}

/** With its place as its name, which a warning repeats. */
function placed(
  secrets: Exclude<Secrets, undefined>,
  place: string | undefined,
): Exclude<Secrets, undefined> {
  return typeof secrets === 'string' && place ? { [place]: secrets } : secrets
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
  await naming(place, () => checkReceiver(placed(secrets, place), rules))
  return { ...rules, secrets }
}
