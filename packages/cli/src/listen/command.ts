import { createReceiver, DEFAULTS } from '@webhook-receiver/core'
import { aborted } from '../aborted.ts'
import { captureFolder } from '../capture-files.ts'
import { paintFor } from '../colour.ts'
import { type MakeCommand, newCommand } from '../command.ts'
import { apiKeyAtHand, readSecrets, SECRET_FLAGS } from '../credential.ts'
import { judged } from '../failure.ts'
import { names, tolerance, whole } from '../option-values.ts'
import { printable, writeJson } from '../printable.ts'
import { accountJson, accountLines } from './account.ts'
import { type Reception, receive } from './reception.ts'
import { serve } from './server.ts'

const EXAMPLES = ['listen --port 3000 --save captures', 'listen --no-verify --json']

/** `listen`: a receiver that shows what arrives. */
export const listenCommand: MakeCommand = (context, end) =>
  newCommand('listen', 'receives deliveries, verifies them and shows what arrives', EXAMPLES)
    .option('--port <number>', 'where to listen; 0 takes a free one', whole(0, 65_535), 3000)
    .option('--host <address>', 'on which address', '127.0.0.1')
    .option('--save <folder>', 'keep each request, byte for byte, in a file of this folder')
    .option('--count <number>', 'end after so many requests', whole(1, 1e9))
    .option(
      '--tolerance <seconds>',
      'how far a timestamp may lie from the clock',
      tolerance,
      DEFAULTS.tolerance,
    )
    .option('--limit <bytes>', 'the largest body', whole(1, 1e9), DEFAULTS.limit)
    .option('--no-verify', 'answer 204 to everything')
    .option(...SECRET_FLAGS.file)
    .option(...SECRET_FLAGS.env, names)
    .action(async ({ json, port, host, save, count, verify, tolerance, limit, ...options }) => {
      const { stdout, stderr, env, signal, now } = context
      const secrets = verify ? await readSecrets(options, context) : undefined
      if (secrets !== undefined) judged(() => createReceiver(secrets))
      const folder = save === undefined ? undefined : await captureFolder(save)
      const apiKey = apiKeyAtHand(context)
      const paint = paintFor(stdout, env)
      const tally = { requests: 0, valid: 0, kept: 0 }
      const over = new AbortController()

      const show = (reception: Reception) => {
        tally.requests += 1
        if (reception.judgement?.valid) tally.valid += 1
        if (reception.path !== undefined) tally.kept += 1
        if (json) writeJson(stdout, accountJson(reception))
        else stdout.write(`${accountLines(reception, paint).join('\n')}\n`)
        if (tally.requests === count) over.abort()
      }
      const server = await serve(
        (req, res) => {
          receive(req, res, { secrets, tolerance, limit, apiKey, folder, now }).then(
            (reception) =>
              res.writableEnded ? res.once('close', () => show(reception)) : show(reception),
            (error) => {
              stderr.write(`A request failed: ${printable(String(error))}\n`)
              res.destroy()
            },
          )
        },
        host,
        port,
      )
      stderr.write(`Listening on ${server.url} (Ctrl-C ends it)\n`)
      await aborted(AbortSignal.any([signal, over.signal]))
      await server.close()
      stderr.write(
        `${tally.requests} requests${verify ? `, ${tally.valid} valid` : ''}${folder ? `, ${tally.kept} kept` : ''}.\n`,
      )
      end(0)
    })
