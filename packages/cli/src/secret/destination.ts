import { type CommandContext, messageOf, printable, UsageError } from '../console/index.ts'
import { VARIABLE } from './env-text.ts'
import { envFileLocation, type SecretLocation, secretFileLocation } from './location.ts'

/** Where a new secret goes, as the options of a command say it. */
export interface DestinationOptions {
  readonly secretFile?: string | undefined
  readonly dotenv?: string | undefined
  readonly envVar?: string | undefined
  readonly showSecret?: true | undefined
  readonly force?: true | undefined
}

/** Where a secret is now. */
export interface StoredSecret {
  /** The file that holds it: the requested one, or the draft next to it. */
  readonly path: string | undefined
  /** Why it is not in the requested place. */
  readonly problem: string | undefined
}

/** A place that is ready for a secret. */
export interface Destination {
  /** Never rejects: the result says what went wrong, and where the secret is. */
  store(secret: string): Promise<StoredSecret>
  /** Restores everything, if there is no secret. */
  discard(): Promise<void>
}

export const DEFAULT_VARIABLE = 'WEBHOOK_SECRET'

/** The flags of DestinationOptions, as they are described in help. */
export const DESTINATION_FLAGS = {
  file: ['--secret-file <path>', 'write the secret of the webhook to this new file'],
  dotenv: ['--dotenv <path>', 'write the secret of the webhook to a variable of this .env file'],
  variable: ['--env-var <name>', 'variable that --dotenv writes (default: WEBHOOK_SECRET)'],
  show: ['--show-secret', 'print the secret of the webhook'],
  force: ['--force', 'replace an existing --secret-file, or an existing value in --dotenv'],
} as const

/**
 * Checks that a secret can be stored, before it is created.
 *
 * @throws UsageError if it cannot.
 */
export async function prepareDestination(
  { secretFile, dotenv, envVar, force }: DestinationOptions,
  { stderr }: Pick<CommandContext, 'stderr'>,
): Promise<Destination> {
  if (secretFile !== undefined && dotenv !== undefined) {
    throw new UsageError('Use --secret-file or --dotenv, not both.')
  }
  if (envVar !== undefined && (dotenv === undefined || !VARIABLE.test(envVar))) {
    throw new UsageError(
      '--env-var needs --dotenv, and the name of a variable such as WEBHOOK_SECRET.',
    )
  }
  const location =
    secretFile !== undefined
      ? await secretFileLocation(secretFile, force === true)
      : dotenv !== undefined
        ? await envFileLocation(dotenv, envVar ?? DEFAULT_VARIABLE, force === true)
        : undefined
  return {
    store: async (secret) =>
      location ? storeSecret(location, secret, stderr) : { path: undefined, problem: undefined },
    discard: async () => location?.draft.remove(),
  }
}

async function storeSecret(
  location: SecretLocation,
  secret: string,
  stderr: CommandContext['stderr'],
): Promise<StoredSecret> {
  const { path, draft } = location
  try {
    await draft.write(secret)
  } catch (error) {
    // The last resort: a secret on a screen can be replaced, but a lost one cannot be recovered.
    stderr.write(
      `No file can be written, and the service does not send the secret again. The secret is: ${printable(secret)}\n`,
    )
    return {
      path: undefined,
      problem: `the secret could not be written to ${path}: ${messageOf(error)}`,
    }
  }
  try {
    await location.moveInPlace(secret)
  } catch (error) {
    const problem = `the secret could not be written to ${path}: ${messageOf(error)}. It is in ${draft.path}, which only you can read`
    return { path: draft.path, problem }
  }
  await draft.remove().catch(() => {})
  return { path, problem: undefined }
}
