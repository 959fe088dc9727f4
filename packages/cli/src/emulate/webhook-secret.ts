import { homedir } from 'node:os'
import { newSecret, receiverSecret } from '@webhook-receiver/emulator/internal'
import { type CommandContext, shellWord } from '../console/index.ts'
import {
  type ChosenScheme,
  findVariable,
  fingerprintOf,
  readSecret,
  type SigningOptions,
} from '../options/index.ts'
import { keptSecret, newSecretFile } from '../secret/write-secret.ts'

/** The secret of the webhook, what to call it, where it is, and what to type in the other terminal. */
interface WebhookSecret {
  /** What signs. */
  readonly secret: string
  readonly name: string
  readonly place: string
  readonly start: string | undefined
  /** The file of a secret that nobody has set. */
  readonly kept: string | undefined
  readonly store: (() => Promise<void>) | undefined
}

/** The secret that is given, or else one that stays the same from run to run. */
export async function readWebhookSecret(
  options: SigningOptions & { readonly writeSecret?: string | undefined },
  chosen: ChosenScheme,
  context: CommandContext,
): Promise<WebhookSecret> {
  const { secretFile, secretEnv, writeSecret } = options
  const store = writeSecret === undefined ? undefined : await newSecretFile(writeSecret)
  const { scheme } = chosen
  const variable = await findVariable(secretEnv?.[0], scheme, context)
  const isGiven = secretFile ?? secretEnv ?? (variable.value || undefined)
  const kept = isGiven ? undefined : await keptSecret(scheme.name, () => newSecret(scheme), context)
  const secret = kept?.secret ?? (await readSecret(options, context, chosen))
  const path = writeSecret ?? secretFile ?? kept?.path
  const received = receiverSecret(scheme, secret)
  const digest = fingerprintOf(received)
  const home = `${context.env.HOME || homedir()}/`
  const short = path?.startsWith(home) ? `~/${path.slice(home.length)}` : path
  const place = path === undefined ? `from ${variable.name}` : `in ${short}`
  // A shell has no home in quotes.
  const word = path && (shellWord(path) === path ? short : shellWord(path))
  // A public key is no secret. Of one in several lines, the line breaks are written as in an .env file.
  const publicKey = received === secret ? undefined : received.replaceAll('\n', '\\n')
  const given = publicKey ? `'${publicKey}'` : word && `"$(cat ${word})"`
  return {
    secret,
    store: store && (() => store(received)),
    kept: kept?.path,
    name: `the one ${place}`,
    place: `${place} (fingerprint ${digest})`,
    start: given && `export ${variable.name}=${given}`,
  }
}
