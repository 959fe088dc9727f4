import { type NamedCapture, readCaptures } from '../capture-files.ts'
import { paintFor } from '../colour.ts'
import { type MakeCommand, newCommand } from '../command.ts'
import { readSecret, SECRET_FLAGS } from '../credential.ts'
import { Interrupted, UsageError } from '../failure.ts'
import { names, positive, receiverUrl } from '../option-values.ts'
import { isAccepted, transmit } from '../transmission.ts'
import { wait } from '../wait.ts'
import { due, readPace } from './pace.ts'
import { type Replayed, writeReplayed, writeSummary } from './report.ts'
import { resigned } from './resigning.ts'

const EXAMPLES = [
  'replay captures http://localhost:3000/webhooks --resign',
  'replay captures http://localhost:3000/webhooks --pace original',
]

/** `replay`: captures, sent again. */
export const replayCommand: MakeCommand = (surroundings, end) =>
  newCommand('replay', 'sends captures again, as they were or signed anew', EXAMPLES)
    .usage('[options] <capture...> <url>')
    .argument('<capture...>', 'files of `listen --save`, or folders of them; then the URL')
    .option('--resign', 'give each a timestamp of now and a signature to match')
    .option('--pace <pace>', '"original", "none" or a number a second', readPace, 'none' as const)
    .option('--timeout <seconds>', 'how long to wait for an answer', positive(3600), 10)
    .option(...SECRET_FLAGS.file)
    .option(...SECRET_FLAGS.env, names)
    .action(async (operands, { json, resign, pace, timeout, ...options }) => {
      const { signal, now, stdout, stderr, env } = surroundings
      const url = urlOf(operands)
      const captures = await readCaptures(operands.slice(0, -1))
      const secret = resign ? await readSecret(options, surroundings) : undefined
      const paint = paintFor(stdout, env)
      const begun = performance.now()
      const all: Replayed[] = []
      for (const [index, capture] of captures.entries()) {
        const since = capture.receivedAt - (captures[0]?.receivedAt ?? 0)
        const pause = begun + due(pace, index, since) - performance.now()
        if (pause > 3000) stderr.write(`The next one is due in ${Math.round(pause / 1000)} s.\n`)
        await wait(pause, signal)
        if (signal.aborted) throw new Interrupted(`${all.length} of ${captures.length} were sent.`)
        const replayed = await send(capture)
        all.push(replayed)
        writeReplayed(replayed, stdout, json ? undefined : paint)
      }
      writeSummary(all, { resigned: resign === true, now: now() }, stderr)
      end(all.every(({ answer }) => isAccepted(answer)) ? 0 : 1)

      async function send(capture: NamedCapture): Promise<Replayed> {
        const headers =
          secret === undefined ? capture.headers : await resigned(capture, secret, now())
        const { method, body } = capture
        const answer = await transmit({ method, url, headers, body }, { timeout, signal })
        if (signal.aborted) throw new Interrupted(`${all.length} of ${captures.length} were sent.`)
        return { capture, answer }
      }
    })

function urlOf(operands: readonly string[]): URL {
  const last = operands.at(-1) ?? ''
  if (operands.length < 2 || !/^https?:/i.test(last)) {
    throw new UsageError('Name one or more captures, and then the URL to send them to.')
  }
  return receiverUrl(last)
}
