import { createReceiver, DEFAULTS } from '@webhook-receiver/core'
import {
  dropKept,
  listKept,
  type Redriven,
  RedriveRunningError,
  redrive,
} from '@webhook-receiver/quarantine'
import { paintFor } from '../colour.ts'
import {
  GENERAL_OPTIONS,
  JSON_FLAG,
  type MakeCommand,
  newCommand,
  SECRET_OPTIONS,
} from '../command.ts'
import { readSecrets, SECRET_FLAGS } from '../credential.ts'
import { asUsageError, codeOf, Failure, Interrupted, messageOf, UsageError } from '../failure.ts'
import { names, positive, receiverUrl, tolerance } from '../option-values.ts'
import { printable } from '../printable.ts'
import { progressOn } from '../progress.ts'
import { deliverTo, WrongReceiver } from './deliver.ts'
import { writeKeptList, writeKeptRequest } from './list.ts'
import { createSummary, writeRedriven, writeSummary } from './report.ts'

const EXAMPLES = [
  'redrive ./quarantine --to http://localhost:3000/webhooks',
  'redrive ./quarantine --to http://localhost:3000/webhooks --drop',
  'redrive ./quarantine --list',
]

/** `redrive`: what a quarantine kept, verified again, and handed to the receiver. */
export const redriveCommand: MakeCommand = (context, end) =>
  newCommand('redrive', 'send genuine deliveries from a quarantine to the receiver', EXAMPLES)
    .argument('<folder>', 'the folder of the quarantine')
    .optionsGroup('What to do:')
    .option(
      '--to <url>',
      'send each genuine delivery there, signed again with a current timestamp',
      receiverUrl,
    )
    .option('--dry-run', 'verify only: send and remove nothing')
    .option(
      '--drop',
      'also remove requests without a valid signature, if at least one request has a valid one',
    )
    .option('--list', 'list what is in the folder, without a secret')
    .option('--show <file>', 'show one request of the folder, without a secret')
    .optionsGroup('Verification:')
    .option(
      '--tolerance <seconds>',
      'accepted difference between the timestamp and the time of arrival',
      tolerance,
      DEFAULTS.tolerance,
    )
    .option('--timeout <seconds>', 'how long to wait for each answer', positive(3600), 30)
    .optionsGroup(SECRET_OPTIONS)
    .option(...SECRET_FLAGS.file)
    .option(...SECRET_FLAGS.envs, names)
    .optionsGroup(GENERAL_OPTIONS)
    .option(...JSON_FLAG)
    .action(
      async (folder, { to, dryRun, drop, list, show, tolerance, timeout, json, ...options }) => {
        const { stdout, stderr, env, now, signal } = context
        const files = await listKept(folder).catch((error: unknown) => {
          throw new UsageError(`Cannot read the folder: ${printable(messageOf(error))}.`)
        })
        const paint = json ? undefined : paintFor(stdout, env)
        if (list === true) return end(await writeKeptList(folder, files, context, paint))
        if (show !== undefined) return end(await writeKeptRequest(folder, show, context))
        if ((to === undefined) === (dryRun !== true)) {
          throw new UsageError('Choose one of --to <url>, --dry-run, --list and --show <file>.')
        }
        const secrets = await readSecrets(options, context)
        asUsageError(() => createReceiver(secrets))
        const deliver = to && deliverTo(to, { secrets, timeout, signal, now })
        const progress = progressOn(stderr)
        const summary = createSummary(files.length)
        try {
          for await (const redriven of redrive(folder, { secret: secrets, tolerance, deliver })) {
            progress.clear()
            summary.count(redriven)
            writeRedriven(redriven, context, paint)
            stopFor(redriven)
            if (signal.aborted) throw new Interrupted(summary.text())
            // On a terminal the lines themselves show it.
            if (!stdout.isTTY) progress.update(`${summary.done} of ${files.length}`)
          }
        } catch (error) {
          const isKnown = error instanceof RedriveRunningError || codeOf(error) !== undefined
          throw isKnown ? new Failure(printable(messageOf(error))) : error
        } finally {
          progress.clear()
        }
        if (drop === true) await dropForged()
        writeSummary(summary, stderr)
        const nothing = summary.genuine === 0 && files.length > 0
        end(summary.left > 0 || nothing ? 1 : 0)

        /** All other answers will be the same, and after a 401 each would go into quarantine again. */
        function stopFor(redriven: Redriven): void {
          if (redriven.outcome !== 'failed' || !(redriven.error instanceof WrongReceiver)) return
          throw new Failure(`${redriven.error.message} Stopped: ${summary.text()}`)
        }

        async function dropForged(): Promise<void> {
          if (dryRun === true) return
          if (summary.genuine === 0 && summary.forged.length > 0) {
            throw new Failure(
              `Nothing was dropped: none of ${files.length} requests has a valid signature under this secret, so it may be the wrong one.`,
            )
          }
          for (const name of summary.forged) await dropKept(folder, name)
          summary.dropForged()
        }
      },
    )
