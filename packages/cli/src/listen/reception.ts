import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Secrets } from '@webhook-receiver/core'
import type { Capture } from '../capture.ts'
import type { CaptureFolder } from '../capture-files.ts'
import { said } from '../failure.ts'
import { type Judgement, judge } from '../judgement.ts'
import { type Arrival, readArrival } from './arrival.ts'

export interface ReceptionOptions {
  /** `undefined` where nothing is verified. */
  readonly secrets: Exclude<Secrets, undefined> | undefined
  readonly tolerance: number
  readonly limit: number
  readonly apiKey: string | undefined
  /** Where requests are kept. */
  readonly folder: CaptureFolder | undefined
  readonly now: () => number
}

/** The largest body that is diagnosed, in bytes: one of 1 MiB takes 30 MiB of memory, and anybody may send it. */
const DIAGNOSED = 262_144

/** What happened to one request. */
export interface Reception {
  readonly receivedAt: number
  /** What it was answered; `undefined` where its sender went away. */
  readonly status: number | undefined
  /** `undefined` where it could not be read, or nothing is verified. */
  readonly judgement: Judgement | undefined
  readonly capture: Capture | undefined
  /** Where it was kept. */
  readonly path: string | undefined
  /** Why it could not be read or kept. */
  readonly problem: string | undefined
}

/** Reads a request, judges it, keeps it, and only then answers: a 2xx is not said of what may be lost. */
export async function receive(
  req: IncomingMessage,
  res: ServerResponse,
  options: ReceptionOptions,
): Promise<Reception> {
  const receivedAt = options.now()
  const arrival = await readArrival(req, options.limit, receivedAt)
  const reception = await treated(arrival, receivedAt, options)
  if (reception.status !== undefined) {
    if (reception.capture === undefined) res.setHeader('Connection', 'close')
    res.writeHead(reception.status).end()
  }
  return reception
}

async function treated(
  arrival: Arrival,
  receivedAt: number,
  options: ReceptionOptions,
): Promise<Reception> {
  const nothing = { receivedAt, judgement: undefined, capture: undefined, path: undefined }
  if ('unread' in arrival) {
    return arrival.unread === 'incomplete'
      ? {
          ...nothing,
          status: undefined,
          problem: 'The sender went away in the middle of the body.',
        }
      : {
          ...nothing,
          status: 413,
          problem: `The body has more than ${options.limit} bytes: raise --limit to take it.`,
        }
  }
  const { capture } = arrival
  const judgement = await judged(capture, options)
  try {
    const path = await options.folder?.keep(capture)
    const status = judgement?.status ?? 204
    return { receivedAt, status, judgement, capture, path, problem: undefined }
  } catch (error) {
    const problem = `The request could not be kept: ${said(error)}.`
    return { receivedAt, status: 500, judgement, capture, path: undefined, problem }
  }
}

async function judged(
  capture: Capture,
  { secrets, ...options }: ReceptionOptions,
): Promise<Judgement | undefined> {
  if (secrets === undefined) return undefined
  return judge(capture, {
    ...options,
    secrets,
    at: capture.receivedAt,
    diagnoseUpTo: DIAGNOSED,
  })
}
