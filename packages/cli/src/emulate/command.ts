import { InvalidArgumentError, Option } from '@commander-js/extra-typings'
import type { Fault } from '@webhook-receiver/emulator'
import { FAULTS, FORMER, MISTAKES } from '@webhook-receiver/emulator/internal'
import {
  general,
  type MakeCommand,
  nameOutOf,
  names,
  namesOutOf,
  newCommand,
  positive,
  receiverUrl,
  service,
  share,
  whole,
} from '../options/index.ts'
import { WRITE_SECRET } from '../secret/write-secret.ts'
import { UI_FLAGS } from '../ui.ts'
import { emulate } from './session.ts'

const EXAMPLES = [
  'emulate --forward localhost:3000/stripe --scheme stripe',
  'emulate --forward localhost:3000/webhooks --ui',
  'emulate --forward localhost:3000/webhooks --faults drop',
]

/** Of these, a copy is sent that a receiver should reject; with the others, a delivery is valid. */
const TO_REJECT = ['tamper', 'wrong-secret', 'stale', 'future']
const FAULTS_LISTED = `
valid deliveries: ${FAULTS.filter((fault) => !TO_REJECT.includes(fault)).join(', ')}
to be rejected: ${TO_REJECT.join(', ')}, or a mistake, such as body_reserialized`

/** Ctrl-C is its usual end, and does not hide what failed before. */
const EXIT_CODES =
  'Exit codes: 0 success, 1 failed or rejected, 2 invalid command line\n  After Ctrl-C: 0, or 1 if something failed'

/** `emulate`: a service, on this machine. */
export const emulateCommand: MakeCommand = (context, end) =>
  general(
    service(
      newCommand('emulate', 'Stand in for a service: send signed deliveries', EXAMPLES, EXIT_CODES)
        .optionsGroup('Webhook:')
        .option('--forward <url>', 'register a webhook for the receiver at this URL', receiverUrl)
        .option(
          '--events <names>',
          'events to deliver, separated by commas (default: all, or those with a sample)',
          names,
        )
        .option(
          '--wait <seconds>',
          'how long to wait for the receiver to listen',
          positive(86_400),
          60,
        )
        .option(...WRITE_SECRET),
      { otherwise: 'a new one' },
    )
      .optionsGroup('Deliveries:')
      .option(
        '--scenario <name>',
        'events to send: conversation, or none',
        nameOutOf(['conversation', 'none']),
        'conversation' as const,
      )
      .option('--rate <number>', 'events per second', positive(1000), 5)
      .option('--count <number>', 'stop after this number of events', whole(1, 1e9))
      .addOption(
        new Option('--retries <seconds>', 'pauses before the retries of a delivery, or "none"')
          .argParser(readRetries)
          .default([1, 5, 30], '1,5,30'),
      )
      .optionsGroup('Faults:')
      .option(
        '--faults <names>',
        `faults to choose from${FAULTS_LISTED}`,
        namesOutOf<Fault>([...FAULTS, ...MISTAKES], [FORMER], FAULTS_LISTED),
      )
      .option('--fault-rate <share>', 'share of deliveries with a fault, 0 to 1', share, 0.25)
      .option(
        '--seed <number>',
        'number that decides which delivery gets which fault (default: random)',
        whole(0, 2 ** 32 - 1),
      )
      .optionsGroup('Local web UI:')
      .option(...UI_FLAGS.ui)
      .option(...UI_FLAGS.open)
      .optionsGroup('API of the service:')
      .option('--port <number>', 'port of the service; 0 chooses a free one', whole(0, 65_535), 0)
      .option(
        '--api-key-file <path>',
        'read the API key of the service from this file (default: $WEBHOOK_API_KEY, or a new key)',
      )
      .option('--allow-host <names>', 'host names of the service, besides localhost', names),
  ).action(async (options) => {
    const { port, allowHost, faults, faultRate, seed, retries, ...others } = options
    const emulator = { port, allowedHosts: allowHost, faults, faultRate, seed, retries }
    end(await emulate({ ...others, emulator }, context))
  })

function readRetries(text: string): number[] {
  if (text === 'none') return []
  const pauses = text.split(',').map((pause) => (pause.trim() === '' ? Number.NaN : Number(pause)))
  if (pauses.every((pause) => pause >= 0 && pause <= 86_400)) return pauses
  throw new InvalidArgumentError('It should be seconds such as 1,5,30, or "none".')
}
