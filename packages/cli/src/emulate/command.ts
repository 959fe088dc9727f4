import { Option } from '@commander-js/extra-typings'
import { EVENTS, FAULTS, TIMESTAMP_FORMS } from '@webhook-receiver/emulator'
import { type MakeCommand, newCommand } from '../command.ts'
import { names, namesOutOf, positive, receiverUrl, share, whole } from '../option-values.ts'
import { DEFAULT_VARIABLE } from '../secret-destination/destination.ts'
import { readRetries } from './retries.ts'
import { emulate } from './session.ts'

const EXAMPLES = [
  'emulate --forward http://localhost:3000/webhooks',
  'emulate --forward http://localhost:3000/webhooks --rounds 2 --faults duplicate,reorder --seed 1',
]

/** A restart of the receiver is something that only the receiver's own test can do. */
const CLI_FAULTS = FAULTS.filter((fault) => fault !== 'restart')

/** `emulate`: the service, on this machine. */
export const emulateCommand: MakeCommand = (context, end) =>
  newCommand('emulate', 'runs the service on this machine and sends deliveries', EXAMPLES)
    .option('--port <number>', 'of its API; 0 takes a free one', whole(0, 65_535), 0)
    .option(
      '--api-key-file <path>',
      'read its API key from this file (default: $WEBHOOK_API_KEY, or a new one)',
    )
    .option(
      '--allow-host <names>',
      'let requests come to these names too, besides localhost',
      names,
    )
    .option('--forward <url>', 'register this receiver at once', receiverUrl)
    .option('--events <names>', 'for these events (default: all)', namesOutOf(EVENTS))
    .option('--secret-file <path>', 'write its secret to this new file')
    .option('--dotenv <path>', 'or set a variable of this .env file')
    .option('--env-var <name>', `which variable (default: ${DEFAULT_VARIABLE})`)
    .option('--show-secret', 'or print it')
    .option('--force', 'replace the file, or the value of the variable')
    .option('--wait <seconds>', 'how long to wait for the receiver', positive(86_400), 60)
    .addOption(
      new Option('--scenario <name>', 'what to send')
        .choices(['conversation', 'none'] as const)
        .default('conversation' as const),
    )
    .option('--rate <number>', 'events a second', positive(1000), 5)
    .option('--count <number>', 'end after so many events', whole(1, 1e9))
    .option('--rounds <number>', 'end after so many conversations', whole(1, 1e9))
    .option('--faults <names>', `out of: ${CLI_FAULTS.join(', ')}`, namesOutOf(CLI_FAULTS))
    .option('--fault-rate <share>', 'the share of deliveries with a fault', share, 0.25)
    .option('--seed <number>', 'which have which fault (default: drawn)', whole(0, 2 ** 32 - 1))
    .addOption(
      new Option('--retries <seconds>', 'the pauses before retries, or "none"')
        .argParser(readRetries)
        .default([1, 5, 30], '1,5,30'),
    )
    .addOption(
      new Option('--timestamps <form>', 'the form of X-Webhook-Timestamp')
        .choices(TIMESTAMP_FORMS)
        .default('unix-seconds' as const),
    )
    .action(async (options) => end(await emulate(options, context)))
