import { readFile } from 'node:fs/promises'
import { childEnvironment } from '../child-environment.ts'
import { paintFor } from '../colour.ts'
import {
  GENERAL_OPTIONS,
  JSON_FLAG,
  type MakeCommand,
  newCommand,
  SECRET_OPTIONS,
} from '../command.ts'
import type { CommandContext } from '../command-context.ts'
import { readSecret, SECRET_FLAGS } from '../credential.ts'
import { UsageError } from '../failure.ts'
import { jsonObject } from '../json-object.ts'
import { names, positive } from '../option-values.ts'
import { printable, writeJson } from '../printable.ts'
import { CLEAR_LINE } from '../progress.ts'
import { PROBE_EVENT, PROBES } from './probes/index.ts'
import { jsonReport } from './report.ts'
import { DOCTOR_DEFAULTS, type DoctorOptions, runDoctor } from './run-doctor.ts'
import { textReport } from './text-report.ts'

/** `webhook-receiver doctor`: ends with 1 where a probe failed. */
export const doctorCommand: MakeCommand = (context, end) =>
  newCommand('doctor', `send ${PROBES.length} probes to a running receiver and report its faults`, [
    'doctor http://localhost:3000/webhooks',
    "doctor http://localhost:3000/webhooks --observe 'grep -c {id} handled.log || true'",
  ])
    .argument('<url>', 'URL of the receiver, http or https')
    .optionsGroup('Receiver:')
    .option('--yes', 'confirm that a receiver on another machine is yours')
    .option('--ca <path>', 'trust this certificate for https, a PEM file')
    .option(
      '--observe <command|url>',
      'count how often a delivery was handled: by a command that prints the number for {id}, or by a URL that returns it for ?id=',
    )
    .optionsGroup('Probes:')
    .option('--event <name>', 'event of the genuine probes; a real event has effects', PROBE_EVENT)
    .option(
      '--data <json>',
      'content of each delivery, a JSON object (default: a sample)',
      (text) => jsonObject(text, '--data'),
    )
    .option(
      '--timeout <seconds>',
      'how long to wait for each answer',
      positive(600),
      DOCTOR_DEFAULTS.timeout,
    )
    .option(
      '--oversize <bytes>',
      'size of a body that the receiver should reject',
      positive(1_073_741_824),
      DOCTOR_DEFAULTS.oversize,
    )
    .optionsGroup(SECRET_OPTIONS)
    .option(...SECRET_FLAGS.file)
    .option(...SECRET_FLAGS.env, names)
    .optionsGroup(GENERAL_OPTIONS)
    .option(...JSON_FLAG)
    .action(async (url, { json, secretFile, secretEnv, ca, ...options }) => {
      const secret = await readSecret({ secretFile, secretEnv }, context)
      const trusted = ca === undefined ? undefined : [await certificate(ca)]
      const observerEnv = childEnvironment(context.env, secretEnv ?? [], [secret])
      end(
        await doctor({ ...options, url, secret, ca: trusted, observerEnv }, json === true, context),
      )
    })

async function doctor(
  options: DoctorOptions,
  json: boolean,
  { stdout, stderr, env, signal }: CommandContext,
): Promise<0 | 1> {
  // A terminal shows one line that changes; elsewhere a line for each probe would hide the report.
  const onProgress = stderr.isTTY && ((text: string) => stderr.write(`${CLEAR_LINE}${text}`))
  if (!stderr.isTTY) stderr.write(`Examining ${printable(options.url)} …\n`)
  try {
    const report = await runDoctor({ ...options, signal, onProgress: onProgress || undefined })
    if (stderr.isTTY) stderr.write(CLEAR_LINE)
    if (json) writeJson(stdout, jsonReport(report))
    else stdout.write(textReport(report, paintFor(stdout, env)))
    return report.diagnoses.length === 0 ? 0 : 1
  } catch (error) {
    if (stderr.isTTY) stderr.write(CLEAR_LINE)
    throw error
  }
}

function certificate(path: string): Promise<string> {
  return readFile(path, 'utf8').catch((error: Error) => {
    throw new UsageError(`--ca: ${error.message}`)
  })
}
