import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Secrets } from '@webhook-receiver/core'
import type { Capture } from '../capture.ts'
import type { CaptureFolder } from '../capture-files.ts'
import { messageOf } from '../failure.ts'
import { type VerificationResult, verifyRequest } from '../verification.ts'
import { type ReadResult, readRequest } from './read-request.ts'

export interface ReceiveOptions {
  /** `undefined`: requests are not verified. */
  readonly secrets: Exclude<Secrets, undefined> | undefined
  readonly tolerance: number
  readonly limit: number
  readonly apiKey: string | undefined
  /** Where requests are saved. */
  readonly folder: CaptureFolder | undefined
  readonly now: () => number
}

/** The largest body that is diagnosed, in bytes: one of 1 MiB takes 30 MiB of memory, and anybody may send it. */
const DIAGNOSED = 262_144

/** A request and its result. */
export interface ReceivedRequest {
  readonly receivedAt: number
  /** The status of the answer; `undefined` if the sender disconnected. */
  readonly status: number | undefined
  /** `undefined` if the request could not be read, or is not verified. */
  readonly result: VerificationResult | undefined
  readonly capture: Capture | undefined
  /** Where it was saved. */
  readonly path: string | undefined
  /** Why it could not be read or saved. */
  readonly problem: string | undefined
}

/** Reads, verifies and saves a request, and only then answers it, so that a request with a 2xx is never lost. */
export async function receive(
  req: IncomingMessage,
  res: ServerResponse,
  options: ReceiveOptions,
): Promise<ReceivedRequest> {
  const receivedAt = options.now()
  const read = await readRequest(req, options.limit, receivedAt)
  const request = await processRequest(read, receivedAt, options)
  if (request.status !== undefined) {
    if (request.capture === undefined) res.setHeader('Connection', 'close')
    res.writeHead(request.status).end()
  }
  return request
}

async function processRequest(
  read: ReadResult,
  receivedAt: number,
  options: ReceiveOptions,
): Promise<ReceivedRequest> {
  const nothing = { receivedAt, result: undefined, capture: undefined, path: undefined }
  if ('failure' in read) {
    return read.failure === 'incomplete'
      ? {
          ...nothing,
          status: undefined,
          problem: 'The sender disconnected before the end of the body.',
        }
      : {
          ...nothing,
          status: 413,
          problem: `The body has more than ${options.limit} bytes: raise --limit to accept it.`,
        }
  }
  const { capture } = read
  const result = await verified(capture, options)
  try {
    const path = await options.folder?.save(capture)
    const status = result?.status ?? 204
    return { receivedAt, status, result, capture, path, problem: undefined }
  } catch (error) {
    const problem = `The request could not be saved: ${messageOf(error)}.`
    return { receivedAt, status: 500, result, capture, path: undefined, problem }
  }
}

async function verified(
  capture: Capture,
  { secrets, ...options }: ReceiveOptions,
): Promise<VerificationResult | undefined> {
  if (secrets === undefined) return undefined
  return verifyRequest(capture, {
    ...options,
    secrets,
    at: capture.receivedAt,
    diagnoseUpTo: DIAGNOSED,
  })
}
