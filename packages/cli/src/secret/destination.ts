import { type CommandContext, messageOf, printable, UsageError } from '../console/index.ts'
import { envFileLocation, secretFileLocation } from './location.ts'

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
  /** The file that holds it. */
  readonly path: string | undefined
  /** Why it is not in the requested place. */
  readonly problem: string | undefined
}

/** Stores a secret. Never rejects: the result says what went wrong. */
export type StoreSecret = (secret: string) => Promise<StoredSecret>

export const DEFAULT_VARIABLE = 'WEBHOOK_SECRET'

/** The flags of DestinationOptions, as they are described in help. */
export const DESTINATION_FLAGS = {
  file: ['--secret-file <path>', 'write the secret of the webhook to this new file'],
  dotenv: ['--dotenv <path>', 'append the secret of the webhook to this .env file'],
  variable: ['--env-var <name>', 'variable that --dotenv appends (default: WEBHOOK_SECRET)'],
  show: ['--show-secret', 'print the secret of the webhook'],
  force: ['--force', 'replace an existing --secret-file'],
} as const

/**
 * Checks that a secret can be stored, before it is created.
 *
 * @throws UsageError if it cannot.
 */
export async function prepareDestination(
  { secretFile, dotenv, envVar, force }: DestinationOptions,
  { stderr }: Pick<CommandContext, 'stderr'>,
): Promise<StoreSecret> {
  if (secretFile !== undefined && dotenv !== undefined) {
    throw new UsageError('Use --secret-file or --dotenv, not both.')
  }
  if (envVar !== undefined && (dotenv === undefined || !/^[A-Za-z_]\w*$/.test(envVar))) {
    throw new UsageError(
      '--env-var needs --dotenv, and the name of a variable such as WEBHOOK_SECRET.',
    )
  }
  const path = secretFile ?? dotenv
  if (path === undefined) return async () => ({ path, problem: undefined })
  const write =
    path === secretFile
      ? await secretFileLocation(path, force === true)
      : await envFileLocation(path, envVar ?? DEFAULT_VARIABLE)
  return async (secret) => {
    try {
      await write(secret)
      return { path, problem: undefined }
    } catch (error) {
      // The last resort: a secret on a screen can be replaced, but a lost one cannot be recovered.
      stderr.write(
        `The secret cannot be stored, and the service does not send it again. The secret is: ${printable(secret)}\n`,
      )
      const problem = `the secret could not be written to ${path}: ${messageOf(error)}`
      return { path: undefined, problem }
    }
  }
}
