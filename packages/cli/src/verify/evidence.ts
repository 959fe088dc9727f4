import { readFile } from 'node:fs/promises'
import { readCaptures } from '../capture-files.ts'
import { said, UsageError } from '../failure.ts'
import type { Request } from '../judgement.ts'
import { readHeaderFile } from './header-file.ts'

/** A request to verify. */
export interface Evidence extends Request {
  readonly name: string
  /** `undefined` where nobody wrote it down. */
  readonly receivedAt: number | undefined
}

/** The requests that the command line names: captures, or one of headers and a body. */
export async function readEvidence(
  captures: readonly string[],
  { headers, body }: { readonly headers?: string | undefined; readonly body?: string | undefined },
): Promise<readonly Evidence[]> {
  const files = headers !== undefined || body !== undefined
  if (files === captures.length > 0) {
    throw new UsageError('Name one or more captures, or give --headers and --body.')
  }
  if (!files) {
    return (await readCaptures(captures)).map((capture) => ({ ...capture, name: capture.path }))
  }
  if (headers === undefined || body === undefined) {
    throw new UsageError('--headers and --body go together: the signature is over both.')
  }
  const [text, bytes] = await Promise.all([read('--headers', headers), read('--body', body)])
  const head = readHeaderFile(text.toString('latin1'))
  return [{ ...head, body: bytes, name: `${headers} and ${body}`, receivedAt: undefined }]
}

function read(flag: string, path: string): Promise<Buffer> {
  return readFile(path).catch((error: unknown) => {
    throw new UsageError(`${flag} cannot be read: ${said(error)}.`)
  })
}
