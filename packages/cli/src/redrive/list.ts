import { contract } from '@webhook-receiver/core/internal'
import { openKept } from '@webhook-receiver/quarantine/internal'
import {
  type CommandContext,
  type ExitCode,
  messageOf,
  type Paint,
  printable,
} from '../console/index.ts'
import { allSchemes, findScheme } from '../options/index.ts'
import { writeListed } from './report.ts'

interface Listing {
  /** The service whose requests all are. */
  readonly scheme: string | undefined
  /** `undefined`: JSON is asked for. */
  readonly paint: Paint | undefined
}

/** Lists what is in a folder, without a secret. 1 if a file cannot be read. */
export async function listAll(
  folder: string,
  files: readonly string[],
  { scheme: name, paint }: Listing,
  context: CommandContext,
): Promise<ExitCode> {
  const { stderr } = context
  const given = name ? (await findScheme(name)).scheme : undefined
  const schemes = new Map((await allSchemes()).map((one) => [one.scheme.name, one.scheme]))
  let unreadable = 0
  for (const file of files) {
    const request = await openKept(folder, file).catch((error: unknown) => {
      unreadable += 1
      stderr.write(`${printable(`${file}: ${messageOf(error)}`)}\n`)
    })
    if (!request) continue
    // A receiver has the name of its scheme as endpoint, unless it has another.
    const scheme = given ?? schemes.get(`${request.endpoint}`) ?? contract
    writeListed(file, request, { scheme, paint }, context)
  }
  stderr.write(`${files.length} in the quarantine.\n`)
  return unreadable > 0 ? 1 : 0
}
