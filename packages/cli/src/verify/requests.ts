import type { Scheme } from '@webhook-receiver/core'
import { titleOf } from '@webhook-receiver/inspector/other-services'
import type { VerifiableRequest } from '@webhook-receiver/inspector/verification'
import { listCaptures, openCapture } from '../captures/files.ts'
import { Failure, OperandError, UsageError } from '../console/index.ts'
import { readBytes, readText } from '../options/index.ts'
import { readHeaderFile } from './header-file.ts'

/** A request to verify. */
interface NamedRequest extends VerifiableRequest {
  readonly name: string
  /** `undefined` if it is not known. */
  readonly receivedAt: number | undefined
}

/** Reads one request, only when it is verified; it may be unreadable. */
type ReadRequest = () => Promise<NamedRequest | { readonly name: string; readonly problem: string }>

/** Finds the requests that the command line names: captures, or one of headers and a body. */
export async function readRequests(
  captures: readonly string[],
  { headers, body }: { readonly headers?: string | undefined; readonly body?: string | undefined },
  { scheme, signal }: { readonly scheme: Scheme; readonly signal: AbortSignal },
): Promise<readonly ReadRequest[]> {
  if ((headers !== undefined || body !== undefined) === captures.length > 0) {
    throw new OperandError(
      captures.length > 0
        ? 'Use captures, or --headers and --body, not both.'
        : 'Name one or more captures, or use --headers and --body.',
    )
  }
  if (captures.length > 0) {
    const found = await listCaptures(captures, signal)
    return found.map(
      ({ path }) =>
        () =>
          openNamed(path),
    )
  }
  if (headers === undefined || body === undefined) {
    throw new UsageError('--headers and --body must be used together.')
  }
  const bytes = await readBytes(body, '--body')
  // Headers may have any byte.
  const head = readHeaderFile(await readText(headers, '--headers', 'latin1'))
  if (scheme.signsUrl && head.target === undefined) {
    throw new UsageError(
      `--headers: ${titleOf(scheme)} signs the URL, so the file should begin with the request line, such as "POST /webhooks HTTP/1.1".`,
    )
  }
  const named = { ...head, body: bytes, name: `${headers} and ${body}`, receivedAt: undefined }
  return [async () => named]
}

async function openNamed(name: string): ReturnType<ReadRequest> {
  try {
    return { ...(await openCapture(name)), name }
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return { name, problem: error.message }
  }
}
