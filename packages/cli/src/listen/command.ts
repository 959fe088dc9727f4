import { DEFAULTS } from '@webhook-receiver/core/internal'
import { listen } from '@webhook-receiver/emulator/internal'
import { captureFolder } from '../captures/files.ts'
import { explain } from '../captures/verdict.ts'
import {
  createPace,
  Failure,
  messageOf,
  paintFor,
  printable,
  type StartRow,
  takeKeys,
  whenAborted,
  writeJson,
  writeStart,
} from '../console/index.ts'
import {
  apiKeyFromEnv,
  checkReceiver,
  GENERAL_OPTIONS,
  JSON_FLAG,
  type MakeCommand,
  names,
  newCommand,
  readScheme,
  readSecrets,
  SCHEME_FLAGS,
  SCHEME_OPTIONS,
  SECRET_FLAGS,
  SECRET_OPTIONS,
  tolerance,
  whole,
} from '../options/index.ts'
import { makeInspector, openPage, UI_FLAGS } from '../ui.ts'
import { type ReceivedRequest, receive } from './received-request.ts'
import { requestJson, requestLines } from './report.ts'

const EXAMPLES = [
  'listen --port 3000 --save captures',
  'listen --no-verify --json',
  'listen --scheme github --ui',
]

/** While so many requests wait to be shown, the cause of a wrong signature is not searched for: each keeps its body. */
const MOST_WAITING = 10

/** `listen`: a receiver that shows and saves requests. */
export const listenCommand: MakeCommand = (context, end) =>
  newCommand('listen', 'receive deliveries, verify them and show them', EXAMPLES)
    .optionsGroup('Server:')
    .option('--port <number>', 'port to listen on; 0 chooses a free one', whole(0, 65_535), 3000)
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option('--count <number>', 'stop after this number of requests', whole(1, 1e9))
    .option('--save <folder>', 'save each request, byte for byte, to a file in this folder')
    .optionsGroup('Verification:')
    .option('--no-verify', 'do not verify requests; respond with 204 to all of them')
    .option(
      '--tolerance <seconds>',
      'accepted difference between timestamp and clock (default: 300; with --scheme, what its service documents)',
      tolerance,
    )
    .option('--limit <bytes>', 'size of the largest accepted body', whole(1, 1e9), DEFAULTS.limit)
    .optionsGroup(SCHEME_OPTIONS)
    .option(...SCHEME_FLAGS.scheme)
    .option(...SCHEME_FLAGS.publicUrl)
    .optionsGroup(SECRET_OPTIONS)
    .option(...SECRET_FLAGS.file)
    .option(...SECRET_FLAGS.envs, names)
    .optionsGroup('Local web UI:')
    .option(...UI_FLAGS.ui)
    .option(...UI_FLAGS.open)
    .optionsGroup(GENERAL_OPTIONS)
    .option(...JSON_FLAG)
    .action(async ({ json, port, host, save, count, verify, tolerance, limit, ...options }) => {
      const { stdout, stderr, env, now } = context
      const secrets = verify ? await readSecrets(options, context) : undefined
      const chosen = await readScheme(options)
      const { scheme } = chosen
      if (secrets !== undefined) checkReceiver(secrets, { ...chosen, tolerance })
      const keep = save === undefined ? undefined : await captureFolder(save)
      const apiKey = apiKeyFromEnv(context)
      const rules = { ...chosen, tolerance, limit, apiKey }
      const inspector = await makeInspector(options, { ...rules, replies: true }, context)
      const page = await inspector?.start()
      const paint = paintFor(stdout, env)
      const pace = createPace(now)
      const tally = { requests: 0, valid: 0, saved: 0 }
      const over = new AbortController()
      const open = page === undefined ? undefined : () => openPage(page, context)
      const keys = takeKeys(context, { json, open })
      const signal = AbortSignal.any([keys.context.signal, over.signal])
      const totals = () =>
        `${tally.requests} ${tally.requests === 1 ? 'request' : 'requests'}${verify ? `, ${tally.valid} valid` : ''}${keep ? `, ${tally.saved} saved` : ''}.`

      /** One after the other: nobody who sends waits for the search for the cause of a wrong signature. */
      let last: Promise<void> = Promise.resolve()
      let waiting = 0
      const show = async (received: ReceivedRequest) => {
        waiting -= 1
        const { receivedAt: at, status, duration, capture, path, unread, problem } = received
        const verdict =
          received.verdict && secrets !== undefined && waiting < MOST_WAITING
            ? await explain(received.verdict, capture, secrets, rules)
            : received.verdict
        const request = { ...received, verdict }
        tally.requests += 1
        if (verdict?.valid) tally.valid += 1
        if (path !== undefined) tally.saved += 1
        if (inspector && target) {
          const rejection = unread && {
            rejection: { status: status ?? 400, reason: unread, detail: problem ?? '' },
          }
          void inspector.received({ ...capture, at, status, duration, ...rejection }, target)
        }
        if (json) writeJson(stdout, requestJson(request))
        else {
          const shown = pace((status ?? 500) >= 300)
          if (shown === 'line') stdout.write(`${requestLines(request, paint).join('\n')}\n`)
          if (shown === 'totals') stdout.write(`More than 20 a second: ${totals()}\n`)
        }
        if (tally.requests === count) over.abort()
      }
      const reply = () => inspector?.reply() ?? {}
      const server = await listen(
        (req, res) => {
          receive(req, res, { ...rules, secrets, keep, reply, signal, now }).then(
            (request) => {
              waiting += 1
              last = last.then(() => show(request))
            },
            (error) => {
              stderr.write(`A request failed: ${printable(String(error))}\n`)
              res.destroy()
            },
          )
        },
        host,
        port,
      ).catch(async (error: unknown) => {
        keys.end()
        await inspector?.stop()
        throw new Failure(messageOf(error).replace('`port`', '--port'))
      })
      const target = inspector?.addTarget({ url: server.url, secret: secrets })
      const { secretFile, secretEnv = ['WEBHOOK_SECRET'] } = options
      const rows: readonly StartRow[] = [
        ['Listening on', server.url],
        ['Inspector', page],
        [
          'Secret',
          verify ? `from ${secretFile ?? secretEnv.join(', ')}` : 'none: nothing is verified',
        ],
        ['Service', options.scheme && scheme.name],
        ['Saves to', save],
        [
          'Try',
          verify && options.scheme === undefined
            ? `npx @webhook-receiver/cli send message.received ${server.url}`
            : undefined,
        ],
      ]
      writeStart('listen', rows, context)
      stderr.write(`  ${keys.hint}\n\n`)
      if (options.open) open?.()
      await whenAborted(signal)
      keys.end()
      await server.close()
      await last
      await inspector?.stop()
      stderr.write(`${totals()}\n`)
      end(0)
    })
