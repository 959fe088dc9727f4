import { readFile } from 'node:fs/promises'
import { Option } from '@commander-js/extra-typings'
import { EVENTS } from '@webhook-receiver/core'
import { sendRequest, TAMPERINGS, wireHeaders } from '@webhook-receiver/emulator/internal'
import { Interrupted, messageOf, UsageError } from '../console/index.ts'
import {
  GENERAL_OPTIONS,
  JSON_FLAG,
  jsonObject,
  type MakeCommand,
  names,
  newCommand,
  positive,
  readScheme,
  readSecret,
  receiverUrl,
  SCHEME_FLAGS,
  SCHEME_OPTIONS,
  SECRET_FLAGS,
  SECRET_OPTIONS,
} from '../options/index.ts'
import { checkWanted, makeDelivery } from './delivery.ts'
import { report } from './report.ts'

const EXAMPLES = [
  'send message.received http://localhost:3000/webhooks --data \'{"text":"hello"}\'',
  'send message.received http://localhost:3000/webhooks --tamper body',
  'send invoice.paid http://localhost:3000/stripe --scheme stripe --data \'{"data":{}}\'',
]

/** `send`: one signed delivery. */
export const sendCommand: MakeCommand = (context, end) =>
  newCommand('send', 'send one signed delivery and show the response', EXAMPLES)
    .argument('<event>', `event to send: ${EVENTS.join(', ')}, or any other name`)
    .argument('<url>', 'URL of the receiver', receiverUrl)
    .optionsGroup('Delivery:')
    .option(
      '--data <json>',
      'content of the event, or with --scheme the body, as a JSON object (default: a sample)',
    )
    .option('--data-file <path>', 'read the content of the event from this JSON file')
    .option('--instance <id>', 'id of the instance that the event is about (default: inst_01)')
    .addOption(
      new Option(
        '--tamper <what>',
        'change the delivery so that the receiver should reject it',
      ).choices(TAMPERINGS),
    )
    .option('--timeout <seconds>', 'how long to wait for the response', positive(3600), 10)
    .optionsGroup(SCHEME_OPTIONS)
    .option(...SCHEME_FLAGS.scheme)
    .option(...SCHEME_FLAGS.publicUrl)
    .optionsGroup(SECRET_OPTIONS)
    .option(...SECRET_FLAGS.file)
    .option(...SECRET_FLAGS.env, names)
    .optionsGroup(GENERAL_OPTIONS)
    .option(...JSON_FLAG)
    .action(async (event, url, { json, instance, tamper, timeout, ...options }) => {
      const { signal } = context
      const data = await readEventData(options)
      const chosen = await readScheme(options)
      checkWanted({ ...chosen, instance, tamper })
      const secret = await readSecret(options, context, chosen)
      const wanted = { ...chosen, url, event, data, instance, tamper, secret }
      const { id, request, success } = await makeDelivery(wanted, context)
      const response = await sendRequest({ url, ...request }, { timeout, signal })
      if (signal.aborted) throw new Interrupted('The receiver may have the delivery.')
      const sent = { ...request, headers: wireHeaders(request.headers, url, request.body) }
      end(report({ id, event, url, sent, response, success, tamper }, { json, context }) ? 0 : 1)
    })

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
  if (dataFile === undefined) return data === undefined ? undefined : jsonObject(data, '--data')
  const text = await readFile(dataFile, 'utf8').catch((error: unknown) => {
    throw new UsageError(`--data-file cannot be read: ${messageOf(error)}.`)
  })
  return jsonObject(text, '--data-file')
}
