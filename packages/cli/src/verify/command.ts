import { createReceiver, DEFAULTS } from '@webhook-receiver/core'
import { paintFor } from '../colour.ts'
import { type MakeCommand, newCommand } from '../command.ts'
import { apiKeyAtHand, readSecrets, SECRET_FLAGS } from '../credential.ts'
import { Interrupted, judged, UsageError } from '../failure.ts'
import { judge } from '../judgement.ts'
import { judgementJson, judgementLines } from '../judgement-text.ts'
import { names, tolerance } from '../option-values.ts'
import { printable, writeJson } from '../printable.ts'
import { progressOn } from '../progress.ts'
import { type Evidence, readEvidence } from './evidence.ts'

const EXAMPLES = ['verify captures/2026-*.json', 'verify --headers headers.txt --body body.bin']

/** `verify`: whether a receiver would accept a request, and if not, why. */
export const verifyCommand: MakeCommand = (context, end) =>
  newCommand('verify', 'says whether a kept request is genuine, and if not, why', EXAMPLES)
    .argument('[capture...]', 'files of `listen --save`, or folders of them')
    .option('--headers <path>', 'a file of "Name: value" lines, or JSON')
    .option('--body <path>', 'the body, as it was received')
    .option('--at <time>', 'by which clock: an ISO 8601 time, or "now" (default: on arrival)')
    .option(
      '--tolerance <seconds>',
      'how far a timestamp may lie from the clock',
      tolerance,
      DEFAULTS.tolerance,
    )
    .option(...SECRET_FLAGS.file)
    .option(...SECRET_FLAGS.env, names)
    .action(async (captures, { json, headers, body, at, tolerance, ...options }) => {
      const { stdout, stderr, env, now, signal } = context
      const clock = readClock(at, now)
      const progress = progressOn(stderr)
      const evidence = await readEvidence(captures, { headers, body }, { signal, progress })
      const secrets = await readSecrets(options, context)
      judged(() => createReceiver(secrets))
      const apiKey = apiKeyAtHand(context)
      const paint = paintFor(stdout, env)
      let [done, valid] = [0, 0]
      for await (const request of evidence.requests) {
        progress.clear()
        if (signal.aborted) throw new Interrupted(`${done} of ${evidence.count} were verified.`)
        const { name } = request
        done += 1
        if ('problem' in request) {
          const { problem } = request
          if (json) writeJson(stdout, { request: name, valid: false, problem })
          else stderr.write(`${printable(problem)} It was not verified.\n`)
          continue
        }
        const { age, at } = ageRule(request, clock, tolerance)
        const limit = Math.max(DEFAULTS.limit, request.body.length)
        const verdict = await judge(request, { secrets, tolerance: age, limit, at, apiKey })
        if (verdict.valid) valid += 1
        if (json) writeJson(stdout, { request: name, ...judgementJson(verdict) })
        else stdout.write(`${[printable(name), ...judgementLines(verdict, paint)].join('\n')}\n`)
        if (!json && age === Number.POSITIVE_INFINITY) stdout.write(AGELESS)
        // On a terminal the lines themselves show it.
        if (!stdout.isTTY) progress.tell(`Verified ${done} of ${evidence.count}`)
      }
      progress.clear()
      end(valid === evidence.count ? 0 : 1)
    })

const AGELESS =
  '  The age of the timestamp was not judged: say with --at when the request arrived.\n'

function readClock(at: string | undefined, now: () => number): number | undefined {
  if (at === undefined) return undefined
  const time =
    at === 'now' ? now() : /^\d{4}-.*(?:Z|[+-]\d\d:\d\d)$/.test(at) ? Date.parse(at) : NaN
  if (!Number.isNaN(time)) return time
  throw new UsageError(
    '--at should be "now" or a time with its zone, such as 2026-01-31T12:00:00Z.',
  )
}

/** Without a time of arrival nobody can say how old the timestamp was. */
function ageRule(
  { receivedAt }: Evidence,
  clock: number | undefined,
  tolerance: number,
): { readonly age: number; readonly at: number } {
  const at = clock ?? receivedAt
  return at === undefined ? { age: Number.POSITIVE_INFINITY, at: 0 } : { age: tolerance, at }
}
