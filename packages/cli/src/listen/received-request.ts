import type { IncomingMessage, ServerResponse } from 'node:http'
import { finished } from 'node:stream/promises'
import { type SchemeResponse, WebhookError } from '@webhook-receiver/core'
import { discardStream, readStream, upTo } from '@webhook-receiver/core/adapter'
import { contract, type Secrets, wait } from '@webhook-receiver/core/internal'
import { headerPairs } from '@webhook-receiver/emulator/internal'
import { verifyRequest } from '@webhook-receiver/inspector/verification'
import type { Capture } from '@webhook-receiver/quarantine/internal'
import { ACCEPTED, type JudgeRules, type Verdict } from '../captures/verdict.ts'
import { messageOf } from '../console/index.ts'
import type { Forwarded } from './forward.ts'
import { confirmation, sentSecret } from './sent-secret.ts'

export interface ReceiveOptions extends JudgeRules {
  readonly limit: number
  /** `undefined`: requests are not verified. */
  readonly secrets: Secrets
  /** Saves a request; resolves to its path. */
  readonly keep: ((capture: Capture) => Promise<string>) | undefined
  /** What a request gets in place of `ACCEPTED`, in milliseconds after it was verified. */
  readonly reply: () => { readonly status?: number; readonly delay?: number }
  /** Sends a request to another server, whose response is then passed on. */
  readonly forward: ((capture: Capture) => Promise<Forwarded>) | undefined
  readonly signal: AbortSignal
  readonly now: () => number
}

/** A request and its result. */
export interface ReceivedRequest {
  readonly receivedAt: number
  /** The status of the response; `undefined` if the sender disconnected. */
  readonly status: number | undefined
  /** Until the response was written, in milliseconds. */
  readonly duration: number
  /** `undefined` if the request could not be read, or is not verified. */
  readonly verdict?: Verdict | undefined
  /** The secret that the service sends in it, since it does not sign it yet. */
  readonly secret?: string | undefined
  /** Without the body if that could not be read. */
  readonly capture: Capture
  readonly forwarded?: Forwarded | undefined
  /** Where it was saved. */
  readonly path?: string | undefined
  /** Why the body could not be read: a reason of docs/errors.md. */
  readonly unread?: string | undefined
  /** Why it could not be read or saved. */
  readonly problem?: string | undefined
}

/** Reads, verifies and saves a request, and only then responds to it, so that a request with a 2xx is never lost. */
export async function receive(
  req: IncomingMessage,
  res: ServerResponse,
  options: ReceiveOptions,
): Promise<ReceivedRequest> {
  const begun = performance.now()
  const request = await processRequest(req, options)
  const forwarded = request.problem ? undefined : await options.forward?.(request.capture)
  const { status, headers, body } = forwarded
    ? {
        status: forwarded.status ?? 502,
        headers: forwarded.headers.flat(),
        body: forwarded.content,
      }
    : await ownResponse(request, options)
  if (status !== undefined && !res.destroyed) {
    if (request.unread === undefined) {
      res.writeHead(status, headers).end(body)
    } else {
      // Most senders write their whole body before they read the response.
      res.writeHead(status, { 'Content-Length': 0, Connection: 'close' }).flushHeaders()
      await discardStream(req)
      res.end()
    }
  }
  const duration = performance.now() - begun
  if (!res.destroyed) await finished(res).catch(() => {})
  return { ...request, forwarded, status, duration }
}

/** What the service expects, unless something else is asked for. */
async function ownResponse(
  { status: own, verdict, secret }: Pick<ReceivedRequest, 'status' | 'verdict' | 'secret'>,
  { reply, signal, scheme = contract }: ReceiveOptions,
): Promise<Omit<SchemeResponse, 'status'> & Pick<ReceivedRequest, 'status'>> {
  const accepted = verdict?.valid ? verdict.response : undefined
  const isAccepted = own === (accepted?.status ?? ACCEPTED)
  const { status = own, delay = 0 } = isAccepted ? reply() : {}
  if (delay > 0) await wait(delay, signal)
  const headers = isAccepted ? confirmation(secret, scheme) : {}
  return {
    ...(Object.keys(headers).length > 0 && { headers }),
    ...(status === own && accepted),
    status,
  }
}

async function processRequest(
  req: IncomingMessage,
  options: ReceiveOptions,
): Promise<Omit<ReceivedRequest, 'duration'>> {
  const { secrets, limit, keep, now, scheme = contract } = options
  const receivedAt = now()
  const { method = '', url: target = '/', httpVersion, rawHeaders } = req
  const head = { receivedAt, method, target, httpVersion, headers: headerPairs(rawHeaders) }
  const reading = readStream(req, upTo(limit), Buffer.allocUnsafeSlow)
  const read = await reading.then(
    (body) => body.take(),
    (error: unknown) => {
      if (error instanceof WebhookError) return error
      throw error
    },
  )
  if (read instanceof WebhookError) {
    const { reason: unread } = read
    const unreadable = { receivedAt, unread, capture: { ...head, body: Buffer.alloc(0) } }
    if (unread !== 'body_too_large') {
      const problem = 'The sender disconnected before the end of the body.'
      return { ...unreadable, status: undefined, problem }
    }
    const problem = `The body has more than ${limit} bytes: raise --limit to accept it.`
    return { ...unreadable, status: 413, problem }
  }
  const capture = { ...head, body: read }
  const verdict =
    secrets === undefined ? undefined : await verifyRequest(capture, secrets, receivedAt, options)
  const secret = verdict?.valid ? undefined : sentSecret(capture, scheme)
  try {
    const path = await keep?.(capture)
    const status = statusOf(verdict)
    return { receivedAt, status, verdict, secret, capture, path }
  } catch (error) {
    const problem = `The request could not be saved: ${messageOf(error)}.`
    return { receivedAt, status: 500, verdict, secret, capture, problem }
  }
}

function statusOf(verdict: Verdict | undefined): number {
  if (!verdict) return ACCEPTED
  return verdict.valid ? (verdict.response?.status ?? ACCEPTED) : verdict.status
}
