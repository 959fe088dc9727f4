import { DEFAULTS } from '@webhook-receiver/core/internal'
import { createBriefly } from '../captures/briefly.ts'
import { CAPTURES } from '../captures/files.ts'
import { judge, type Verdict, verdictJson, verdictLines } from '../captures/verdict.ts'
import { withVerifiedOthers } from '../captures/verified-others.ts'
import { counted, Interrupted, paintFor, tell, UsageError, writeJson } from '../console/index.ts'
import {
  allSchemes,
  apiKeyFromEnv,
  type MakeCommand,
  newCommand,
  readScheme,
  readVerifier,
  signing,
  TOLERANCE,
} from '../options/index.ts'
import { readRequests } from './requests.ts'

const EXAMPLES = [
  'verify captures --scheme github --secret-file key',
  'verify ./quarantine',
  'verify --headers headers.txt --body body.bin',
]

/** `verify`: whether a receiver would accept a request, and if not, why. */
export const verifyCommand: MakeCommand = (context, end) =>
  signing(
    newCommand('verify', 'Verify saved requests, and say why one is rejected', EXAMPLES)
      .argument('[capture...]', CAPTURES)
      .optionsGroup('A request that is not a capture:')
      .option('--headers <path>', 'file with its headers, as "Name: value" lines')
      .option('--body <path>', 'file with its body, byte for byte')
      .optionsGroup('Verification:')
      .option(
        '--at <time>',
        'time at which the timestamp is checked: ISO 8601, or "now" (default: the time of arrival)',
      )
      .option(...TOLERANCE),
    { several: true },
  ).action(async (captures, { json, headers, body, at, ...options }) => {
    const { stdout, stderr, env, now, signal } = context
    const clock = readClock(at, now)
    const { scheme } = await readScheme(options)
    const requests = await readRequests(captures, { headers, body }, { signal, scheme })
    const { secrets, tolerance, ...chosen } = await readVerifier(options, context)
    const apiKey = apiKeyFromEnv(context)
    const otherSchemes = (await allSchemes()).map(({ scheme: other }) => other)
    const paint = paintFor(stdout, env)
    const briefly = createBriefly()
    let [done, valid, unread] = [0, 0, 0]
    for (const read of requests) {
      if (signal.aborted) throw new Interrupted(`${done} of ${requests.length} were verified.`)
      const request = await read()
      const { name } = request
      done += 1
      if ('problem' in request) {
        const { problem } = request
        unread += 1
        if (json) writeJson(stdout, { request: name, valid: false, problem })
        else tell(stderr, `${problem} It was not verified.`)
        continue
      }
      // Without a time of arrival, the age of the timestamp is unknown.
      const arrival = clock ?? request.receivedAt
      const age = arrival === undefined ? Number.POSITIVE_INFINITY : tolerance
      const limit = Math.max(DEFAULTS.limit, request.body.length)
      const diagnosed = Number.POSITIVE_INFINITY
      const rules = { ...chosen, tolerance: age, limit, apiKey, diagnosed, otherSchemes }
      const found = await judge(request, secrets, arrival ?? 0, rules)
      const judged = clock === undefined ? found : withoutClock(found, request.receivedAt)
      const verdict = withVerifiedOthers(judged, valid, scheme)
      if (verdict.valid) valid += 1
      if (json) writeJson(stdout, { request: name, ...verdictJson(verdict) })
      else
        stdout.write(`${verdictLines(name, verdict, scheme, paint, stdout, briefly).join('\n')}\n`)
      if (!json && arrival === undefined && scheme.readTime) stdout.write(NO_ARRIVAL)
    }
    if (done > 1) {
      const rest = unread > 0 ? `, ${unread} not verified` : ''
      const rejected = done - valid - unread
      tell(stderr, `${counted(done, 'request')}, ${valid} valid, ${rejected} rejected${rest}.`)
    }
    end(valid === requests.length ? 0 : 1)
  })

/** An age at the time of `--at` is no fault of a clock. */
function withoutClock(verdict: Verdict, receivedAt: number | undefined): Verdict {
  if (verdict.valid || !/^timestamp_(?:too_old|in_future)$/.test(verdict.reason)) return verdict
  const [first = ''] = verdict.detail.split(/(?<=\.) /)
  const said = first
    .replace(' old (', ' old at the time of --at (')
    .replace(' in the future (', ' after the time of --at (')
  const fix =
    receivedAt === undefined
      ? 'Pass the time of arrival with --at.'
      : 'Leave out --at to check the age at the time of arrival.'
  return { ...verdict, detail: `${said} ${fix}` }
}

const NO_ARRIVAL =
  '  The age of the timestamp was not checked: pass the time of arrival with --at.\n'

function readClock(at: string | undefined, now: () => number): number | undefined {
  if (at === undefined) return undefined
  const time =
    at === 'now' ? now() : /^\d{4}-.*(?:Z|[+-]\d\d:\d\d)$/.test(at) ? Date.parse(at) : NaN
  if (!Number.isNaN(time)) return time
  throw new UsageError(
    '--at should be "now" or a time with its zone, such as 2026-01-31T12:00:00Z.',
  )
}
