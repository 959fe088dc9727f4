import type { CommandContext } from '../command-context.ts'
import { said, UsageError } from '../failure.ts'
import { printable } from '../printable.ts'
import { envFilePlace } from './env-file.ts'
import { VARIABLE } from './env-text.ts'
import type { Place } from './place.ts'
import { secretFilePlace } from './secret-file.ts'

/** Where a new secret goes, as the options of a command say it. */
export interface DestinationOptions {
  readonly secretFile?: string | undefined
  readonly dotenv?: string | undefined
  readonly envVar?: string | undefined
  readonly showSecret?: true | undefined
  readonly force?: true | undefined
}

/** What became of a secret. Whoever asked for it has it, in one of these ways. */
export interface Handover {
  /** The file that holds it: the one that was asked for, or the draft beside it. */
  readonly path: string | undefined
  /** Why it is not where it was asked for. */
  readonly problem: string | undefined
}

/** Ready to take a secret. */
export interface Destination {
  /** Never rejects: what goes wrong is in the handover, and the secret is somewhere all the same. */
  hand(secret: string): Promise<Handover>
  /** Leaves everything as it was, where no secret came. */
  abandon(): Promise<void>
}

export const DEFAULT_VARIABLE = 'WEBHOOK_SECRET'

/**
 * Sees to it, before a secret exists, that there is a place for it.
 *
 * @throws UsageError where there is none.
 */
export async function prepareDestination(
  { secretFile, dotenv, envVar, showSecret, force = undefined }: DestinationOptions,
  { stderr }: Pick<CommandContext, 'stderr'>,
): Promise<Destination> {
  if (secretFile !== undefined && dotenv !== undefined) {
    throw new UsageError('Give --secret-file or --dotenv, not both.')
  }
  if (envVar !== undefined && (dotenv === undefined || !VARIABLE.test(envVar))) {
    throw new UsageError('--env-var is a name such as WEBHOOK_SECRET, and goes with --dotenv.')
  }
  const place =
    secretFile !== undefined
      ? await secretFilePlace(secretFile, force === true)
      : dotenv !== undefined
        ? await envFilePlace(dotenv, envVar ?? DEFAULT_VARIABLE, force === true)
        : undefined
  if (!place && !showSecret) {
    throw new UsageError(
      'The secret is told once: say where it goes, with --secret-file, --dotenv or --show-secret.',
    )
  }
  return {
    hand: async (secret) =>
      place ? put(place, secret, stderr) : { path: undefined, problem: undefined },
    abandon: async () => place?.draft.remove(),
  }
}

async function put(
  place: Place,
  secret: string,
  stderr: CommandContext['stderr'],
): Promise<Handover> {
  const { path, draft } = place
  try {
    await draft.write(secret)
  } catch (error) {
    // Nowhere else to go: a secret on a screen can be replaced, one that is lost cannot be had again.
    stderr.write(
      `Nothing can be written. The secret, which is not told again, is: ${printable(secret)}\n`,
    )
    return {
      path: undefined,
      problem: `the secret could not be written to ${path}: ${said(error)}`,
    }
  }
  try {
    await place.fill(secret)
  } catch (error) {
    const problem = `the secret could not be brought to ${path}: ${said(error)}. It is in ${draft.path}, which you alone can read`
    return { path: draft.path, problem }
  }
  await draft.remove().catch(() => {})
  return { path, problem: undefined }
}
