import { InvalidArgumentError } from '@commander-js/extra-typings'
import { duration, publicUrlOf, wait } from '@webhook-receiver/core/internal'
import {
  headerValue,
  type ReceivedResponse,
  sendRequest,
} from '@webhook-receiver/emulator/internal'
import { CAPTURES, listCaptures, type NamedCapture, openCapture } from '../captures/files.ts'
import {
  Failure,
  Interrupted,
  OperandError,
  paintFor,
  serverAdvice,
  tell,
} from '../console/index.ts'
import {
  type ChosenScheme,
  checkSigner,
  type MakeCommand,
  newCommand,
  readScheme,
  readSecret,
  receiverUrl,
  signing,
  TIMEOUT,
} from '../options/index.ts'
import { signAgain } from '../signing/sign-again.ts'
import { isAccepted, type Replayed, writeReplayed } from './report.ts'

const EXAMPLES = [
  'replay captures localhost:3000/webhooks --resign',
  'replay captures localhost:3000/webhooks --pace original',
]

/** `replay`: captures, sent once more. */
export const replayCommand: MakeCommand = (context, end) =>
  signing(
    newCommand('replay', 'Send saved requests again, unchanged or re-signed', EXAMPLES)
      .usage('[options] <capture...> <url>')
      .argument('<capture...>', `${CAPTURES}; then the URL of the receiver`)
      .optionsGroup('Requests:')
      .option('--resign', 'sign each request again, with a current timestamp')
      .option(
        '--pace <pace>',
        'when to send: "none" without pauses, "original" with the pauses of the arrival, or a number of requests per second',
        readPace,
        'none' as const,
      )
      .option(...TIMEOUT, 10),
  ).action(async (operands, { json, resign, pace, timeout, ...options }) => {
    const { signal, now, stdout, stderr, env } = context
    const last = operands.at(-1) ?? ''
    if (operands.length < 2) {
      throw new OperandError('Name one or more captures, and then the URL to send them to.')
    }
    const url = receiverUrl(last)
    const chosen = await readScheme(options)
    const signedUrl = publicUrlOf(chosen.publicUrl ?? url.origin, `${url.pathname}${url.search}`)
    if (resign) checkSigner(chosen.scheme)
    const files = await listCaptures(operands.slice(0, -1), signal)
    const secret = resign ? await readSecret({ ...options, url }, context, chosen) : undefined
    const paint = json ? undefined : paintFor(stdout, env)
    const first = files.find(({ receivedAt }) => receivedAt !== undefined)?.receivedAt ?? 0
    const { tolerance } = chosen.scheme
    let [sent, accepted, outdated] = [0, 0, 0]
    let failed: ReceivedResponse | undefined
    const begun = performance.now()
    for (const [index, { path, receivedAt = first }] of files.entries()) {
      const due = pace === 'original' ? Math.max(0, receivedAt - first) : index * apart(pace)
      const pause = begun + due - performance.now()
      if (pause > 3000) {
        stderr.write(`The next request follows in ${Math.round(pause / 1000)} s.\n`)
      }
      await wait(pause, signal)
      const replayed = await replay(path)
      writeReplayed(replayed, context, paint)
      if ('problem' in replayed) continue
      const { capture, response } = replayed
      sent += 1
      if (isAccepted(response)) accepted += 1
      const isOld = now() - signedAt(capture, chosen.scheme) > tolerance * 1000
      if (response.status === 401 && isOld) outdated += 1
      else if (!isAccepted(response)) failed ??= response
    }
    const rest = sent < files.length ? `, ${files.length - sent} not sent` : ''
    stderr.write(`${sent} sent, ${accepted} accepted${rest}.\n`)
    if (!resign && outdated > 0) {
      const were = `${outdated} ${outdated === 1 ? 'was' : 'were'}`
      tell(
        stderr,
        `${were} signed more than ${duration(tolerance)} ago, and a receiver rejects old timestamps. Add --resign.`,
      )
    }
    // Where the first one failed for a reason that all may share.
    else if (!json && accepted === 0 && failed) tell(stderr, serverAdvice(failed.status, failed))
    end(accepted === files.length ? 0 : 1)

    /** One capture that cannot be sent does not keep the others back. */
    async function replay(path: string): Promise<Replayed> {
      stopIfInterrupted()
      const named = (error: unknown) => {
        if (!(error instanceof Failure)) throw error
        throw new Failure(`${path}: ${error.message}`.replace(': It ', ' '))
      }
      try {
        const capture = await openCapture(path)
        const { headers, body } = secret
          ? await signAgain(capture, { ...chosen, secret, url: signedUrl, now: now() }).catch(named)
          : capture
        const request = { method: capture.method, url, headers, body }
        const response = await sendRequest(request, { timeout, signal })
        stopIfInterrupted()
        if (response.sent) return { capture, response }
        return { path, problem: `${path}: ${response.error}.` }
      } catch (error) {
        if (error instanceof Failure) return { path, problem: error.message }
        throw error
      }
    }

    function stopIfInterrupted(): void {
      if (signal.aborted) throw new Interrupted(`${sent} of ${files.length} were sent.`)
    }
  })

/** In milliseconds since the epoch. The time of its arrival, where no header names one. */
function signedAt(
  { headers, receivedAt }: NamedCapture,
  { claimedTime }: ChosenScheme['scheme'],
): number {
  return claimedTime?.((name) => headerValue(headers, name)) ?? receivedAt
}

/** How fast captures follow each other: as they arrived, at once, or so many a second. */
type Pace = 'original' | 'none' | number

function readPace(text: string): Pace {
  if (text === 'original' || text === 'none') return text
  const rate = Number(text)
  if (text.trim() !== '' && rate > 0 && rate <= 1000) return rate
  throw new InvalidArgumentError(
    'It should be "original", "none" or a number of requests a second.',
  )
}

/** In milliseconds. */
function apart(pace: Pace): number {
  return typeof pace === 'number' ? 1000 / pace : 0
}
