import { readFile } from 'node:fs/promises'
import { listCaptures, openCapture } from '../capture-files.ts'
import { Failure, messageOf, UsageError } from '../failure.ts'
import type { Progress } from '../progress.ts'
import type { Request } from '../verification.ts'
import { readHeaderFile } from './header-file.ts'

/** A request to verify. */
export interface NamedRequest extends Request {
  readonly name: string
  /** `undefined` if it is not known. */
  readonly receivedAt: number | undefined
}

/** A capture that cannot be read. */
interface Unreadable {
  readonly name: string
  readonly problem: string
}

/** The requests that the command line names. Each is read only when it is verified. */
export interface Collection {
  readonly count: number
  readonly all: AsyncIterable<NamedRequest | Unreadable> | Iterable<NamedRequest>
}

/** Finds the requests that the command line names: captures, or one of headers and a body. */
export async function readRequests(
  captures: readonly string[],
  { headers, body }: { readonly headers?: string | undefined; readonly body?: string | undefined },
  context: { readonly signal: AbortSignal; readonly progress: Progress },
): Promise<Collection> {
  const files = headers !== undefined || body !== undefined
  if (files === captures.length > 0) {
    throw new UsageError('Name one or more captures, or use --headers and --body.')
  }
  if (!files) {
    const found = await listCaptures(captures, context)
    return { count: found.length, all: openCaptures(found.map(({ path }) => path)) }
  }
  if (headers === undefined || body === undefined) {
    throw new UsageError('--headers and --body must be used together.')
  }
  return { count: 1, all: [await readFiles(headers, body)] }
}

async function* openCaptures(paths: readonly string[]): AsyncGenerator<NamedRequest | Unreadable> {
  for (const name of paths) {
    yield await openCapture(name).then(
      (capture) => ({ ...capture, name }),
      (error: unknown) => {
        if (error instanceof Failure) return { name, problem: error.message }
        throw error
      },
    )
  }
}

async function readFiles(headers: string, body: string): Promise<NamedRequest> {
  const [text, bytes] = await Promise.all([read('--headers', headers), read('--body', body)])
  const head = readHeaderFile(text.toString('latin1'))
  return { ...head, body: bytes, name: `${headers} and ${body}`, receivedAt: undefined }
}

function read(flag: string, path: string): Promise<Buffer> {
  return readFile(path).catch((error: unknown) => {
    throw new UsageError(`${flag} cannot be read: ${messageOf(error)}.`)
  })
}
