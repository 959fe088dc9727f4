import { readFile } from 'node:fs/promises'
import { listCaptures, openCapture } from '../capture-files.ts'
import { Failure, said, UsageError } from '../failure.ts'
import type { Request } from '../judgement.ts'
import type { Progress } from '../progress.ts'
import { readHeaderFile } from './header-file.ts'

/** A request to verify. */
export interface Evidence extends Request {
  readonly name: string
  /** `undefined` where nobody wrote it down. */
  readonly receivedAt: number | undefined
}

/** A capture that cannot be read. */
interface Unreadable {
  readonly name: string
  readonly problem: string
}

/** The requests that the command line names, each read when it is its turn. */
export interface Collection {
  readonly count: number
  readonly requests: AsyncIterable<Evidence | Unreadable> | Iterable<Evidence>
}

/** Finds the requests that the command line names: captures, or one of headers and a body. */
export async function readEvidence(
  captures: readonly string[],
  { headers, body }: { readonly headers?: string | undefined; readonly body?: string | undefined },
  context: { readonly signal: AbortSignal; readonly progress: Progress },
): Promise<Collection> {
  const files = headers !== undefined || body !== undefined
  if (files === captures.length > 0) {
    throw new UsageError('Name one or more captures, or give --headers and --body.')
  }
  if (!files) {
    const found = await listCaptures(captures, context)
    return { count: found.length, requests: opened(found.map(({ path }) => path)) }
  }
  if (headers === undefined || body === undefined) {
    throw new UsageError('--headers and --body go together: the signature is over both.')
  }
  return { count: 1, requests: [await written(headers, body)] }
}

async function* opened(paths: readonly string[]): AsyncGenerator<Evidence | Unreadable> {
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

async function written(headers: string, body: string): Promise<Evidence> {
  const [text, bytes] = await Promise.all([read('--headers', headers), read('--body', body)])
  const head = readHeaderFile(text.toString('latin1'))
  return { ...head, body: bytes, name: `${headers} and ${body}`, receivedAt: undefined }
}

function read(flag: string, path: string): Promise<Buffer> {
  return readFile(path).catch((error: unknown) => {
    throw new UsageError(`${flag} cannot be read: ${said(error)}.`)
  })
}
