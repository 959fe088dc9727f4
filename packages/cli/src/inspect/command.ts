import { verifyRequest } from '@webhook-receiver/inspector/verification'
import { CAPTURES, listCaptures, openCapture } from '../captures/files.ts'
import { ACCEPTED } from '../captures/verdict.ts'
import { counted, Failure, tell, whenAborted, writeJson } from '../console/index.ts'
import {
  type MakeCommand,
  newCommand,
  readScheme,
  readVerifier,
  receiverUrl,
  signing,
} from '../options/index.ts'
import { makeInspector, started, UI_FLAGS } from '../ui.ts'

/** `inspect`: saved requests in the local web UI. */
export const inspectCommand: MakeCommand = (context, end) =>
  signing(
    newCommand('inspect', 'Show saved requests in a local web UI', [
      'inspect captures --open',
      'inspect ./quarantine --scheme stripe',
    ])
      .argument('<capture...>', CAPTURES)
      .optionsGroup('Local web UI:')
      .option('--no-verify', 'show the requests without a verdict, and without a secret')
      .option(
        '--to <url>',
        'your server, to send requests to from the page',
        receiverUrl,
        new URL('http://localhost:3000/webhooks'),
      )
      .option(...UI_FLAGS.open),
    { several: true },
  ).action(async (captures, { verify, to, open, json, ...options }) => {
    const { stderr, stdout, signal } = context
    const files = await listCaptures(captures, signal)
    const { secrets, ...chosen } = verify
      ? await readVerifier(options, context)
      : { ...(await readScheme(options)), secrets: undefined }
    const inspector = await makeInspector({ ui: true }, chosen, context)
    const target = inspector?.addTarget({ url: to.href, secret: secrets })
    let shown = 0
    for (const { path } of files) {
      try {
        const capture = await openCapture(path)
        const { receivedAt: at } = capture
        const verdict = secrets === undefined || (await verifyRequest(capture, secrets, at, chosen))
        // What a receiver that verifies would have responded.
        const status = verdict === true || verdict.valid ? ACCEPTED : verdict.status
        if (target) await inspector?.received({ ...capture, at, status, duration: 0 }, target)
        shown += 1
      } catch (error) {
        if (!(error instanceof Failure)) throw error
        tell(stderr, error.message)
      }
    }
    if (shown === 0)
      throw new Failure(
        `There is nothing to show: ${counted(files.length, 'file')}, and no capture.`,
      )
    const page = await inspector?.start()
    if (json) writeJson(stdout, { inspector: page, requests: shown })
    const keys = started('inspect', [['Requests', `${shown}`]], page, { open, json }, context)
    await whenAborted(keys.signal)
    keys.end()
    await inspector?.stop()
    end(shown === files.length ? 0 : 1)
  })
