import { readFile } from 'node:fs/promises'
import { childEnvironment } from '../child-environment.ts'
import { paintFor } from '../colour.ts'
import { type MakeCommand, newCommand } from '../command.ts'
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
import { textReport } from './table.ts'

/** `webhook-receiver doctor`: ends with 1 where a probe failed. */
export const doctorCommand: MakeCommand = (context, end) =>
  newCommand(
    'doctor',
    `sends ${PROBES.length} probes to a running receiver and says what is wrong`,
    [
      'doctor http://localhost:3000/webhooks',
      "doctor http://localhost:3000/webhooks --observe 'grep -c {id} handled.log || true'",
    ],
  )
    .argument('<url>', 'the receiver, http or https')
    .option(
      '--event <name>',
      'the event of the genuine probes; a real one has effects',
      PROBE_EVENT,
    )
    .option('--data <json>', 'what data.data of each delivery holds', (text) =>
      jsonObject(text, '--data'),
    )
    .option(
      '--observe <command|url>',
      'tells how often a delivery was handled: a command that prints it for {id}, or a URL that answers it to ?id=',
    )
    .option(
      '--timeout <seconds>',
      'how long an answer may take',
      positive(600),
      DOCTOR_DEFAULTS.timeout,
    )
    .option(
      '--oversize <bytes>',
      'a size that the receiver is meant to refuse',
      positive(1_073_741_824),
      DOCTOR_DEFAULTS.oversize,
    )
    .option(...SECRET_FLAGS.file)
    .option(...SECRET_FLAGS.env, names)
    .option('--ca <path>', 'a certificate to trust for https, in PEM')
    .option('--yes', 'examine a receiver that is not on this machine')
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
  // Rewritten in place on a terminal; elsewhere a line each would bury what follows.
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
