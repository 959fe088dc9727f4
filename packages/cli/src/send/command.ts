import { Option } from '@commander-js/extra-typings'
import { EVENTS } from '@webhook-receiver/core'
import { sampleDelivery, signDelivery } from '@webhook-receiver/core/testing'
import { signTampered, TAMPERINGS } from '@webhook-receiver/emulator/request'
import {
  GENERAL_OPTIONS,
  JSON_FLAG,
  type MakeCommand,
  newCommand,
  SECRET_OPTIONS,
} from '../command.ts'
import { readSecret, SECRET_FLAGS } from '../credential.ts'
import { Interrupted } from '../failure.ts'
import { names, positive, receiverUrl } from '../option-values.ts'
import { printable } from '../printable.ts'
import { sendRequest } from '../send-request.ts'
import { readEventData } from './event-data.ts'
import { report } from './report.ts'

const EXAMPLES = [
  'send message.received http://localhost:3000/webhooks --data \'{"text":"hello"}\'',
  'send message.received http://localhost:3000/webhooks --tamper body',
]

/** `send`: one signed delivery. */
export const sendCommand: MakeCommand = (context, end) =>
  newCommand('send', 'send one signed delivery and show the answer', EXAMPLES)
    .argument('<event>', `event to send: ${EVENTS.join(', ')}, or any other name`)
    .argument('<url>', 'URL of the receiver', receiverUrl)
    .optionsGroup('Delivery:')
    .option('--data <json>', 'content of the event, a JSON object (default: a sample)')
    .option('--data-file <path>', 'read the content of the event from this JSON file')
    .option('--instance <id>', 'id of the instance that the event is about', 'inst_01')
    .addOption(
      new Option(
        '--tamper <what>',
        'change the delivery so that the receiver should reject it',
      ).choices(TAMPERINGS),
    )
    .option('--timeout <seconds>', 'how long to wait for the answer', positive(3600), 10)
    .optionsGroup(SECRET_OPTIONS)
    .option(...SECRET_FLAGS.file)
    .option(...SECRET_FLAGS.env, names)
    .optionsGroup(GENERAL_OPTIONS)
    .option(...JSON_FLAG)
    .action(async (event, url, { json, instance, tamper, timeout, ...options }) => {
      const { signal, now, stderr } = context
      const data = await readEventData(options)
      const secret = await readSecret(options, context)
      if (!EVENTS.some((known) => known === event)) {
        stderr.write(
          `${printable(event)} is not one of the seven known events. It is sent anyway.\n`,
        )
      }
      const delivery = sampleDelivery(event, { data, instanceId: instance, now })
      const { headers, body } = await signDelivery(secret, delivery, { now })
      const signed = { headers: Object.entries(headers), body }
      const request = tamper ? await signTampered(signed, secret, now(), tamper) : signed
      const sent = { method: 'POST', url, ...request }
      const answer = await sendRequest(sent, { timeout, signal })
      if (signal.aborted) throw new Interrupted('The receiver may have the delivery.')
      end(report({ delivery, sent, answer, tamper }, { json, context }) ? 0 : 1)
    })
