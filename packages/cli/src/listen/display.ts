import type { Secrets } from '@webhook-receiver/core/internal'
import { createBriefly } from '../captures/briefly.ts'
import { explain, type JudgeRules } from '../captures/verdict.ts'
import { withVerifiedOthers } from '../captures/verified-others.ts'
import { type CommandContext, counted, createPace, paintFor, writeJson } from '../console/index.ts'
import type { ChosenScheme } from '../options/index.ts'
import type { Forwarded } from './forward.ts'
import type { ReceivedRequest } from './received-request.ts'
import { isGood, requestLines } from './report.ts'
import { requestJson } from './request-json.ts'
import { createSelection, type Selection } from './selection.ts'

/** While so many requests wait to be shown, the cause of a wrong signature is not searched for: each keeps its body. */
const MOST_WAITING = 10

export interface DisplayOptions {
  readonly json?: true | undefined
  readonly verbose?: true | undefined
  readonly rules: JudgeRules & Pick<ChosenScheme, 'scheme'>
  /** `undefined`: requests are not verified. */
  readonly secrets: Secrets
  /** Whether each request is saved. */
  readonly saves: boolean
  /** Sends a request to the server once more; `undefined` where there is none. */
  readonly forward: ((capture: ReceivedRequest['capture']) => Promise<Forwarded>) | undefined
  /** Called for each request when it was shown, with how many there were. */
  readonly onShown: (request: ReceivedRequest, count: number) => void
}

/** Shows requests in the order in which they came, and counts them. */
export interface Display {
  /** Nobody who sends waits for the search for the cause of a wrong signature. */
  show(received: ReceivedRequest): void
  /** Writes a line that is of no request that came back; with `--json` to standard error. */
  tell(line: string): void
  readonly selection: Selection
  /** @example '3 requests, 2 valid, 1 rejected.' */
  totals(): string
  /** Whether a request was rejected, or got no response. */
  hasFailed(): boolean
  /** Resolves when everything was shown. */
  end(): Promise<void>
}

export function createDisplay(
  { json, verbose, rules, secrets, saves, forward, onShown }: DisplayOptions,
  { stdout, stderr, env, now }: Pick<CommandContext, 'stdout' | 'stderr' | 'env' | 'now'>,
): Display {
  const { scheme } = rules
  const paint = paintFor(stdout, env)
  const pace = createPace(now)
  const briefly = createBriefly()
  const tally = { requests: 0, valid: 0, saved: 0, accepted: 0, failed: 0 }
  /** As it came, with its signature, which may be too old by now. */
  const resend =
    forward &&
    (async (request: ReceivedRequest) => {
      const receivedAt = now()
      const forwarded = await forward(request.capture)
      const { status, duration } = forwarded
      print({ ...request, receivedAt, forwarded, status, duration })
    })
  const selection = createSelection(stdout, paint, scheme, resend)
  let last: Promise<void> = Promise.resolve()
  let waiting = 0

  function print(request: ReceivedRequest): void {
    selection.print(requestLines(request, paint, scheme, briefly, stdout, verbose))
  }

  function totals(): string {
    const { requests, valid, saved, accepted } = tally
    const all = counted(requests, 'request')
    const kept = saves ? `, ${saved} saved` : ''
    const verified = secrets === undefined ? '' : `, ${valid} valid`
    if (forward) return `${all}${verified}${kept}; your server accepted ${accepted}.`
    const rejected = secrets === undefined ? '' : `, ${requests - valid} rejected`
    return `${all}${verified}${rejected}${kept}.`
  }

  /** With the cause of a wrong signature, and the services that it may be of instead. */
  async function explained(received: ReceivedRequest): Promise<ReceivedRequest> {
    const { capture, verdict } = received
    if (!verdict || secrets === undefined || waiting >= MOST_WAITING) return received
    const found = await explain(verdict, capture, secrets, rules)
    return { ...received, verdict: withVerifiedOthers(found, tally.valid, scheme) }
  }

  async function showNext(received: ReceivedRequest): Promise<void> {
    waiting -= 1
    const request = await explained(received)
    const { verdict, path, forwarded } = request
    tally.requests += 1
    if (!isGood(request)) tally.failed += 1
    if (verdict?.valid) tally.valid += 1
    if (path !== undefined) tally.saved += 1
    if ((forwarded?.status ?? 500) < 300) tally.accepted += 1
    if (json) writeJson(stdout, requestJson(request))
    else {
      const shown = pace(!isGood(request))
      if (shown === 'line') print(request)
      if (shown === 'totals') selection.print([`More than 20 a second: ${totals()}`])
      selection.add(request)
    }
    onShown(request, tally.requests)
  }

  return {
    show(received) {
      waiting += 1
      last = last.then(() => showNext(received))
    },
    tell(line) {
      if (json) stderr.write(`${line}\n`)
      else selection.print([`  ${line}`])
    },
    selection,
    totals,
    hasFailed: () => tally.failed > 0,
    async end() {
      selection.end()
      await last
    },
  }
}
