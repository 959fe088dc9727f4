import { Option } from '@commander-js/extra-typings'
import { EVENTS } from '@webhook-receiver/core'
import { sampleDelivery } from '@webhook-receiver/core/testing'
import { type MakeCommand, newCommand } from '../command.ts'
import { readSecret, SECRET_FLAGS } from '../credential.ts'
import { Interrupted } from '../failure.ts'
import { names, positive, receiverUrl } from '../option-values.ts'
import { printable } from '../printable.ts'
import { transmit } from '../transmission.ts'
import { readEventData } from './event-data.ts'
import { report } from './report.ts'
import { signed, TAMPERINGS } from './tampering.ts'

const EXAMPLES = [
  'send message.received http://localhost:3000/webhooks --data \'{"text":"hello"}\'',
  'send message.received http://localhost:3000/webhooks --tamper body',
]

/** `send`: one signed delivery. */
export const sendCommand: MakeCommand = (context, end) =>
  newCommand('send', 'sends one signed delivery and shows the answer', EXAMPLES)
    .argument('<event>', `one of ${EVENTS.join(', ')}, or any other name`)
    .argument('<url>', 'where the receiver listens', receiverUrl)
    .option('--data <json>', 'what the event holds (default: a sample)')
    .option('--data-file <path>', 'the same, from a file')
    .option('--instance <id>', 'the instance it is about', 'inst_01')
    .addOption(
      new Option('--tamper <what>', 'spoil it: the receiver should refuse it').choices(TAMPERINGS),
    )
    .option('--timeout <seconds>', 'how long to wait for the answer', positive(3600), 10)
    .option(...SECRET_FLAGS.file)
    .option(...SECRET_FLAGS.env, names)
    .action(async (event, url, { json, instance, tamper, timeout, ...options }) => {
      const { signal, now, stderr } = context
      const data = await readEventData(options)
      const secret = await readSecret(options, context)
      if (!EVENTS.some((known) => known === event)) {
        stderr.write(`${printable(event)} is none of the seven events; it is sent all the same.\n`)
      }
      const delivery = sampleDelivery(event, { data, instanceId: instance, now })
      const sent = { method: 'POST', url, ...(await signed(secret, delivery, now(), tamper)) }
      const answer = await transmit(sent, { timeout, signal })
      if (signal.aborted) throw new Interrupted('The receiver may have the delivery.')
      end(report({ delivery, sent, answer, tamper }, { json, context }) ? 0 : 1)
    })
