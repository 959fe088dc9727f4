import { listCaptures, type NamedCapture, openCapture } from '../capture-files.ts'
import { paintFor } from '../colour.ts'
import { type MakeCommand, newCommand } from '../command.ts'
import { readSecret, SECRET_FLAGS } from '../credential.ts'
import { Failure, Interrupted, UsageError } from '../failure.ts'
import { names, positive, receiverUrl } from '../option-values.ts'
import { progressOn } from '../progress.ts'
import { type Answer, transmit } from '../transmission.ts'
import { wait } from '../wait.ts'
import { due, readPace } from './pace.ts'
import { count, emptyTally, type Replayed, writeReplayed, writeSummary } from './report.ts'
import { resigned } from './resigning.ts'

const EXAMPLES = [
  'replay captures http://localhost:3000/webhooks --resign',
  'replay captures http://localhost:3000/webhooks --pace original',
]

/** `replay`: captures, sent again. */
export const replayCommand: MakeCommand = (context, end) =>
  newCommand('replay', 'sends captures again, as they were or signed anew', EXAMPLES)
    .usage('[options] <capture...> <url>')
    .argument('<capture...>', 'files of `listen --save`, or folders of them; then the URL')
    .option('--resign', 'give each a timestamp of now and a signature to match')
    .option('--pace <pace>', '"original", "none" or a number a second', readPace, 'none' as const)
    .option('--timeout <seconds>', 'how long to wait for an answer', positive(3600), 10)
    .option(...SECRET_FLAGS.file)
    .option(...SECRET_FLAGS.env, names)
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
        if (pause > 3000) stderr.write(`The next one is due in ${Math.round(pause / 1000)} s.\n`)
        await wait(pause, signal)
        const replayed = await replay(path)
        progress.clear()
        writeReplayed(replayed, context, paint)
        count(tally, replayed, now())
        // On a terminal the lines themselves show it.
        if (!stdout.isTTY) progress.tell(`Sent ${tally.sent} of ${files.length}`)
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
        const { method, headers, body, path } = capture
        const signed = secret === undefined ? headers : await resigned(capture, secret, now())
        const sending = transmit({ method, url, headers: signed, body }, { timeout, signal })
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
