import { createReceiver, DEFAULTS } from '@webhook-receiver/core'
import { whenAborted } from '../aborted.ts'
import { captureFolder } from '../capture-files.ts'
import { paintFor } from '../colour.ts'
import {
  GENERAL_OPTIONS,
  JSON_FLAG,
  type MakeCommand,
  newCommand,
  SECRET_OPTIONS,
} from '../command.ts'
import { apiKeyFromEnv, readSecrets, SECRET_FLAGS } from '../credential.ts'
import { asUsageError } from '../failure.ts'
import { makeInspector, PAGE_FLAGS, showInspector } from '../inspector.ts'
import { names, tolerance, whole } from '../option-values.ts'
import { printable, writeJson } from '../printable.ts'
import { type ReceivedRequest, receive } from './received-request.ts'
import { requestJson, requestLines } from './report.ts'
import { serve } from './server.ts'

const EXAMPLES = ['listen --port 3000 --save captures', 'listen --no-verify --json']

/** `listen`: a receiver that shows and saves requests. */
export const listenCommand: MakeCommand = (context, end) =>
  newCommand('listen', 'receive deliveries, verify them and show them', EXAMPLES)
    .optionsGroup('Server:')
    .option('--port <number>', 'port to listen on; 0 chooses a free one', whole(0, 65_535), 3000)
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option('--count <number>', 'stop after this number of requests', whole(1, 1e9))
    .option('--save <folder>', 'save each request, byte for byte, to a file in this folder')
    .optionsGroup('Verification:')
    .option('--no-verify', 'do not verify requests; answer 204 to all of them')
    .option(
      '--tolerance <seconds>',
      'accepted difference between timestamp and clock',
      tolerance,
      DEFAULTS.tolerance,
    )
    .option('--limit <bytes>', 'size of the largest accepted body', whole(1, 1e9), DEFAULTS.limit)
    .optionsGroup(SECRET_OPTIONS)
    .option(...SECRET_FLAGS.file)
    .option(...SECRET_FLAGS.envs, names)
    .optionsGroup('Page:')
    .option(...PAGE_FLAGS.ui)
    .option(...PAGE_FLAGS.open)
    .optionsGroup(GENERAL_OPTIONS)
    .option(...JSON_FLAG)
    .action(async ({ json, port, host, save, count, verify, tolerance, limit, ...options }) => {
      const { stdout, stderr, env, signal, now } = context
      const secrets = verify ? await readSecrets(options, context) : undefined
      if (secrets !== undefined) asUsageError(() => createReceiver(secrets))
      const folder = save === undefined ? undefined : await captureFolder(save)
      const apiKey = apiKeyFromEnv(context)
      const inspector = await makeInspector(options, { tolerance, limit, apiKey }, context)
      const paint = paintFor(stdout, env)
      const tally = { requests: 0, valid: 0, saved: 0 }
      const over = new AbortController()

      const show = (request: ReceivedRequest) => {
        tally.requests += 1
        if (request.result?.valid) tally.valid += 1
        if (inspector && request.capture) {
          const { receivedAt: at, status, capture } = request
          const target = { url: server.url, secret: secrets }
          void inspector.received({ ...capture, at, status, duration: now() - at }, target)
        }
        if (request.path !== undefined) tally.saved += 1
        if (json) writeJson(stdout, requestJson(request))
        else stdout.write(`${requestLines(request, paint).join('\n')}\n`)
        if (tally.requests === count) over.abort()
      }
      const server = await serve(
        (req, res) => {
          receive(req, res, { secrets, tolerance, limit, apiKey, folder, now }).then(
            (request) =>
              res.writableEnded ? res.once('close', () => show(request)) : show(request),
            (error) => {
              stderr.write(`A request failed: ${printable(String(error))}\n`)
              res.destroy()
            },
          )
        },
        host,
        port,
      )
      inspector?.addTarget({ url: server.url, secret: secrets })
      if (inspector) await showInspector(inspector, options, context)
      stderr.write(`Listening on ${server.url} (press Ctrl-C to stop)\n`)
      await whenAborted(AbortSignal.any([signal, over.signal]))
      await server.close()
      await inspector?.stop()
      stderr.write(
        `${tally.requests} requests${verify ? `, ${tally.valid} valid` : ''}${folder ? `, ${tally.saved} saved` : ''}.\n`,
      )
      end(0)
    })
