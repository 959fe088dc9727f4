import { createReceiver, DEFAULTS } from '@webhook-receiver/core'
import { paintFor } from '../colour.ts'
import {
  GENERAL_OPTIONS,
  JSON_FLAG,
  type MakeCommand,
  newCommand,
  SECRET_OPTIONS,
} from '../command.ts'
import { apiKeyFromEnv, readSecrets, SECRET_FLAGS } from '../credential.ts'
import { asUsageError, Interrupted, UsageError } from '../failure.ts'
import { names, tolerance } from '../option-values.ts'
import { printable, writeJson } from '../printable.ts'
import { progressOn } from '../progress.ts'
import { verifyRequest } from '../verification.ts'
import { verificationJson, verificationLines } from '../verification-report.ts'
import { type NamedRequest, readRequests } from './requests.ts'

const EXAMPLES = ['verify captures/2026-*.json', 'verify --headers headers.txt --body body.bin']

/** `verify`: whether a receiver would accept a request, and if not, why. */
export const verifyCommand: MakeCommand = (context, end) =>
  newCommand('verify', 'verify saved requests, and explain why one is rejected', EXAMPLES)
    .argument('[capture...]', 'files from `listen --save`, or folders with such files')
    .optionsGroup('A request that is not a capture:')
    .option('--headers <path>', 'file with its headers, as "Name: value" lines or JSON')
    .option('--body <path>', 'file with its body, byte for byte')
    .optionsGroup('Verification:')
    .option(
      '--at <time>',
      'time at which the timestamp is checked: ISO 8601, or "now" (default: the time of arrival)',
    )
    .option(
      '--tolerance <seconds>',
      'accepted difference between timestamp and that time',
      tolerance,
      DEFAULTS.tolerance,
    )
    .optionsGroup(SECRET_OPTIONS)
    .option(...SECRET_FLAGS.file)
    .option(...SECRET_FLAGS.envs, names)
    .optionsGroup(GENERAL_OPTIONS)
    .option(...JSON_FLAG)
    .action(async (captures, { json, headers, body, at, tolerance, ...options }) => {
      const { stdout, stderr, env, now, signal } = context
      const clock = readClock(at, now)
      const progress = progressOn(stderr)
      const requests = await readRequests(captures, { headers, body }, { signal, progress })
      const secrets = await readSecrets(options, context)
      asUsageError(() => createReceiver(secrets))
      const apiKey = apiKeyFromEnv(context)
      const paint = paintFor(stdout, env)
      let [done, valid] = [0, 0]
      for await (const request of requests.all) {
        progress.clear()
        if (signal.aborted) throw new Interrupted(`${done} of ${requests.count} were verified.`)
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
        const result = await verifyRequest(request, { secrets, tolerance: age, limit, at, apiKey })
        if (result.valid) valid += 1
        if (json) writeJson(stdout, { request: name, ...verificationJson(result) })
        else stdout.write(`${[printable(name), ...verificationLines(result, paint)].join('\n')}\n`)
        if (!json && age === Number.POSITIVE_INFINITY) stdout.write(NO_ARRIVAL)
        // On a terminal the lines themselves show it.
        if (!stdout.isTTY) progress.update(`Verified ${done} of ${requests.count}`)
      }
      progress.clear()
      end(valid === requests.count ? 0 : 1)
    })

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

/** Without a time of arrival, the age of the timestamp is unknown. */
function ageRule(
  { receivedAt }: NamedRequest,
  clock: number | undefined,
  tolerance: number,
): { readonly age: number; readonly at: number } {
  const at = clock ?? receivedAt
  return at === undefined ? { age: Number.POSITIVE_INFINITY, at: 0 } : { age: tolerance, at }
}
