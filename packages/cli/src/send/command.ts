import { EVENTS } from '@webhook-receiver/core'
import {
  MISTAKES,
  receiverSecret,
  sendRequest,
  TAMPERINGS,
  wireHeaders,
} from '@webhook-receiver/emulator/internal'
import { titleOf } from '@webhook-receiver/inspector/other-services'
import { Interrupted, OperandError, tell, UsageError } from '../console/index.ts'
import {
  fingerprintOf,
  jsonObject,
  type MakeCommand,
  nameOutOf,
  newCommand,
  readScheme,
  readSecret,
  readText,
  receiverUrl,
  samplesOf,
  schemeAdvice,
  signing,
  TIMEOUT,
} from '../options/index.ts'
import { doctorLines } from '../signing/not-checked.ts'
import { checkWanted, makeDelivery } from './delivery.ts'
import { report } from './report.ts'

const EXAMPLES = [
  'send invoice.paid localhost:3000/stripe --scheme stripe',
  'send localhost:3000/slack --scheme slack --tamper body',
  'send localhost:3000 --secret-file key --data-file body',
]

/** What a delivery of a service without names of events, and without samples, is called here. */
const WITHOUT_EVENT = 'message'

/** `send`: one signed delivery. */
export const sendCommand: MakeCommand = (context, end) =>
  signing(
    newCommand('send', 'Send one signed delivery and show the response', EXAMPLES)
      .usage('[options] [event] <url>')
      .argument(
        '[event]',
        `event, such as invoice.paid (default: the first sample of the service); the default format has ${EVENTS.join(', ')}`,
      )
      .argument('[url]', 'URL of the receiver')
      .optionsGroup('Delivery:')
      .option(
        '--data <json>',
        'content of the event, or with --scheme the body, as a JSON object (default: a sample)',
      )
      .option('--data-file <path>', 'read the content of the event from this JSON file')
      .option(
        '--tamper <what>',
        `change the delivery so that the receiver should reject it: ${TAMPERINGS.join(', ')}, or a mistake, such as body_reserialized (JSON that a parser has written again)`,
        nameOutOf([...TAMPERINGS, ...MISTAKES]),
      )
      .option(...TIMEOUT, 10),
  ).action(async (first, second, { json, tamper, timeout, ...options }) => {
    const { signal } = context
    const url = urlOf(first, second)
    const data = await readEventData(options)
    const chosen = await readScheme(options)
    checkWanted({ ...chosen, tamper })
    const { hasEvent } = chosen.scheme
    const samples = await samplesOf(chosen.scheme)
    const named = second === undefined ? undefined : first
    const event = named ?? samples[0] ?? (hasEvent ? undefined : WITHOUT_EVENT)
    if (event === undefined) {
      throw new UsageError(
        `There are no samples of ${titleOf(chosen.scheme)}: name the event in front of the URL.`,
      )
    }
    const secret = await readSecret({ ...options, url }, context, chosen)
    if (named !== undefined && !hasEvent) {
      tell(
        context.stderr,
        `${titleOf(chosen.scheme)} has no names of events: the event is not sent.`,
      )
    }
    const wanted = { ...chosen, url, event, samples, data, tamper, secret }
    const { id, request, changed, successes } = await makeDelivery(wanted, context)
    const response = await sendRequest({ url, ...request }, { timeout, signal })
    if (signal.aborted) throw new Interrupted('The receiver may have the delivery.')
    const sent = { ...request, headers: wireHeaders(request.headers, url, request.body) }
    const forgotten = response.status === 401 ? await schemeAdvice(options, url, context) : ''
    const fingerprint = fingerprintOf(receiverSecret(chosen.scheme, secret))
    const howToFix = doctorLines(url.href, options)
    const said = { response, successes, tamper, changed, forgotten, fingerprint, howToFix }
    end(report({ id, event, url, sent, ...said }, { json, context }) ? 0 : 1)
  })

/** @throws UsageError if it is missing, or is not a URL. */
function urlOf(first: string | undefined, second: string | undefined): URL {
  if (first === undefined) {
    throw new OperandError('Name the URL of your receiver, such as localhost:3000/webhooks.')
  }
  const isUrl = (text: string) => /[:/]|^localhost$/.test(text)
  if (second !== undefined && isUrl(first) && !isUrl(second))
    throw new OperandError(`The event comes in front of the URL: send ${second} ${first}`)
  if (second !== undefined || isUrl(first)) return receiverUrl(second ?? first)
  throw new OperandError(`Name the URL, too: send ${first} http://localhost:3000/webhooks`)
}

/** What the delivery is to hold, from `--data` or `--data-file`; `undefined` for a sample. */
async function readEventData({
  data,
  dataFile,
}: {
  readonly data?: string | undefined
  readonly dataFile?: string | undefined
}): Promise<Readonly<Record<string, unknown>> | undefined> {
  if (data !== undefined && dataFile !== undefined) {
    throw new UsageError('Use --data or --data-file, not both.')
  }
  if (dataFile !== undefined) {
    return jsonObject(await readText(dataFile, '--data-file'), `--data-file ${dataFile}`)
  }
  return data === undefined ? undefined : jsonObject(data, '--data')
}
