import { signAgain } from '@webhook-receiver/emulator/request'
import { listCaptures, type NamedCapture, openCapture } from '../capture-files.ts'
import { paintFor } from '../colour.ts'
import {
  GENERAL_OPTIONS,
  JSON_FLAG,
  type MakeCommand,
  newCommand,
  SECRET_OPTIONS,
} from '../command.ts'
import { readSecret, SECRET_FLAGS } from '../credential.ts'
import { Failure, Interrupted, UsageError } from '../failure.ts'
import { names, positive, receiverUrl } from '../option-values.ts'
import { progressOn } from '../progress.ts'
import { type Answer, sendRequest } from '../send-request.ts'
import { wait } from '../wait.ts'
import { due, readPace } from './pace.ts'
import { count, emptyTally, type Replayed, writeReplayed, writeSummary } from './report.ts'

const EXAMPLES = [
  'replay captures http://localhost:3000/webhooks --resign',
  'replay captures http://localhost:3000/webhooks --pace original',
]

/** `replay`: captures, sent again. */
export const replayCommand: MakeCommand = (context, end) =>
  newCommand('replay', 'send saved requests again, unchanged or with a new signature', EXAMPLES)
    .usage('[options] <capture...> <url>')
    .argument(
      '<capture...>',
      'files from `listen --save`, or folders with such files; then the URL of the receiver',
    )
    .optionsGroup('Requests:')
    .option('--resign', 'sign each request again, with a current timestamp')
    .option(
      '--pace <pace>',
      'when to send: "none" without pauses, "original" with the pauses of the arrival, or a number of requests per second',
      readPace,
      'none' as const,
    )
    .option('--timeout <seconds>', 'how long to wait for each answer', positive(3600), 10)
    .optionsGroup(SECRET_OPTIONS)
    .option(...SECRET_FLAGS.file)
    .option(...SECRET_FLAGS.env, names)
    .optionsGroup(GENERAL_OPTIONS)
    .option(...JSON_FLAG)
    .action(async (operands, { json, resign, pace, timeout, ...options }) => {
      const { signal, now, stdout, stderr, env } = context
      const url = urlOf(operands)
      const progress = progressOn(stderr)
      const files = await listCaptures(operands.slice(0, -1), { signal, progress })
      const secret = resign ? await readSecret(options, context) : undefined
      const paint = json ? undefined : paintFor(stdout, env)
      const first = files.find(({ receivedAt }) => receivedAt !== undefined)?.receivedAt ?? 0
      const tally = emptyTally()
      const begun = performance.now()
      for (const [index, { path, receivedAt = first }] of files.entries()) {
        const pause = begun + due(pace, index, receivedAt - first) - performance.now()
        if (pause > 3000)
          stderr.write(`The next request follows in ${Math.round(pause / 1000)} s.\n`)
        await wait(pause, signal)
        const replayed = await replay(path)
        progress.clear()
        writeReplayed(replayed, context, paint)
        count(tally, replayed, now())
        // On a terminal the lines themselves show it.
        if (!stdout.isTTY) progress.update(`Sent ${tally.sent} of ${files.length}`)
      }
      progress.clear()
      writeSummary(tally, { resigned: resign === true }, stderr)
      end(tally.accepted === files.length ? 0 : 1)

      async function replay(path: string): Promise<Replayed> {
        try {
          stopIfInterrupted()
          const capture = await openCapture(path)
          const answer = await send(capture)
          stopIfInterrupted()
          return { capture, answer }
        } catch (error) {
          // One capture that cannot be sent does not keep the others back.
          if (error instanceof Failure) return { path, problem: error.message }
          throw error
        }
      }

      async function send(capture: NamedCapture): Promise<Answer> {
        const { method, path } = capture
        const { headers, body } =
          secret === undefined ? capture : await signAgain(capture, secret, now())
        const sending = sendRequest({ method, url, headers, body }, { timeout, signal })
        return sending.catch((error: unknown) => {
          throw error instanceof Failure ? new Failure(`${path}: ${error.message}`) : error
        })
      }

      function stopIfInterrupted(): void {
        if (!signal.aborted) return
        progress.clear()
        throw new Interrupted(`${tally.sent} of ${files.length} were sent.`)
      }
    })

function urlOf(operands: readonly string[]): URL {
  const last = operands.at(-1) ?? ''
  if (operands.length < 2 || !/^https?:/i.test(last)) {
    throw new UsageError('Name one or more captures, and then the URL to send them to.')
  }
  return receiverUrl(last)
}
