import {
  CLEAR_LINE,
  cut,
  Failure,
  noResponseWords,
  paintFor,
  printable,
  serverAdvice,
  widthOf,
  writeJson,
} from '../console/index.ts'
import {
  checkSigner,
  jsonObject,
  type MakeCommand,
  newCommand,
  positive,
  readScheme,
  readSecret,
  receiverUrl,
  schemeAdvice,
  signing,
  TIMEOUT,
} from '../options/index.ts'
import { childEnvironment } from './child-environment.ts'
import { jsonReport } from './json-report.ts'
import { PROBE_EVENT } from './probes/index.ts'
import { textReport } from './report.ts'
import { DOCTOR_DEFAULTS, type DoctorOptions, runDoctor } from './run-doctor.ts'

const EXAMPLES = [
  'doctor localhost:3000/stripe --scheme stripe',
  "doctor localhost:3000/in --observe 'node runs.mjs {id}'",
]

/** `webhook-receiver doctor`: ends with 1 where a probe failed. */
export const doctorCommand: MakeCommand = (context, end) =>
  signing(
    newCommand('doctor', 'Probe a running receiver, and report its faults', EXAMPLES)
      .argument('<url>', 'URL of the receiver, http or https')
      .optionsGroup('Receiver:')
      .option('--yes', 'confirm that a receiver on another machine is yours')
      .option(
        '--observe <command|url>',
        'count how often a delivery was handled: by a command that prints the number for {id}, or by a URL that returns it for ?id=',
      )
      .optionsGroup('Probes:')
      .option('--event <name>', 'event of the valid probes; a real event has effects', PROBE_EVENT)
      .option(
        '--data <json>',
        'content of each delivery, or with --scheme the body, as a JSON object (default: a sample)',
        (text) => jsonObject(text, '--data'),
      )
      .option(...TIMEOUT, DOCTOR_DEFAULTS.timeout)
      .option(
        '--oversize <bytes>',
        'size of a body that the receiver should reject',
        positive(1_073_741_824),
        DOCTOR_DEFAULTS.oversize,
      )
      .option('--verbose', 'list all probes, not only those that failed'),
  ).action(async (given, { json, verbose, secretFile, secretEnv, ...options }) => {
    const { stdout, stderr, env, signal } = context
    const url = receiverUrl(given)
    const { href } = url
    const chosen = await readScheme(options)
    checkSigner(chosen.scheme)
    const secret = await readSecret({ secretFile, secretEnv, url }, context, chosen)
    const observerEnv = childEnvironment(env, secretEnv ?? [], secret)
    // A terminal shows one line that changes; elsewhere a line for each probe would hide the report.
    const onProgress: DoctorOptions['onProgress'] = (probes, index) => {
      if (!stderr.isTTY) return
      const line = `Probe ${index + 1} of ${probes.length}: ${probes[index]?.sends}`
      stderr.write(`${CLEAR_LINE}${cut(line, widthOf(stderr) - 1)}`)
    }
    const onStart = () => stderr.write(`Examining ${printable(href)} …${stderr.isTTY ? '' : '\n'}`)
    const all = { ...options, url: href, secret, chosen, observerEnv, signal, onStart, onProgress }
    const found = await runDoctor(all).finally(() => {
      if (stderr.isTTY) stderr.write(CLEAR_LINE)
    })
    const [first, ...others] = found.faults
    if (first?.fault === 'unreachable' && !json) {
      const [, why = 'no HTTP'] = /\((.*)\)$/s.exec(found.results[0]?.problems[0] ?? '') ?? []
      const what = noResponseWords(why)
      throw new Failure(
        `No HTTP server responds at ${href}: ${what}. ${serverAdvice(undefined, { error: why })}`,
      )
    }
    const advice = first?.fault === 'wrong-secret' ? await schemeAdvice(options, url, { env }) : ''
    const faults = first ? [{ ...first, fix: `${first.fix}${advice}` }, ...others] : []
    const report = { ...found, faults }
    if (json) writeJson(stdout, jsonReport(report))
    else stdout.write(textReport(report, paintFor(stdout, env), verbose, widthOf(stdout)))
    end(first === undefined ? 0 : 1)
  })
