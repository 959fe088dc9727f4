import { type CreatedWebhook, createWebhookClient, EVENTS } from '@webhook-receiver/client'
import {
  GENERAL_OPTIONS,
  JSON_FLAG,
  type MakeCommand,
  newCommand,
  SECRET_OPTIONS,
} from '../command.ts'
import { readApiKey } from '../credential.ts'
import { Interrupted, UsageError } from '../failure.ts'
import { names, positive } from '../option-values.ts'
import {
  DESTINATION_FLAGS,
  type Destination,
  prepareDestination,
} from '../secret-destination/destination.ts'
import { failureOf } from './failure.ts'
import { withFlagNames } from './flag-names.ts'
import { writeCreated } from './report.ts'

const EXAMPLES = [
  'register --url https://example.com/webhooks --events message.received --secret-file webhook-secret',
  'register --url https://example.com/webhooks --events all --dotenv .env',
]

/** `register`: a webhook at the service, its secret kept out of sight. */
export const registerCommand: MakeCommand = (context, end) =>
  newCommand('register', 'register a webhook at the service and store its secret', EXAMPLES)
    .optionsGroup('Webhook:')
    .requiredOption('--url <url>', 'URL that receives the deliveries (required)')
    .requiredOption(
      '--events <names>',
      `events to deliver, separated by commas, or "all": ${EVENTS.join(', ')} (required)`,
      names,
    )
    .option('--extra-event <names>', 'other event names that --events can contain', names)
    .optionsGroup('Service:')
    .option('--base-url <url>', 'URL of the service (default: $WEBHOOK_BASE_URL)')
    .option(
      '--api-key-file <path>',
      'read the API key from this file (default: $WEBHOOK_API_KEY, or a prompt)',
    )
    .option('--allow-insecure-loopback', 'allow http:// for --url and --base-url on this machine')
    .option('--timeout <seconds>', 'how long to wait for the answer', positive(3600), 10)
    .optionsGroup(SECRET_OPTIONS)
    .option(...DESTINATION_FLAGS.file)
    .option(...DESTINATION_FLAGS.dotenv)
    .option(...DESTINATION_FLAGS.variable)
    .option(...DESTINATION_FLAGS.show)
    .option(...DESTINATION_FLAGS.force)
    .optionsGroup(GENERAL_OPTIONS)
    .option(...JSON_FLAG)
    .action(async ({ url, events, extraEvent = [], timeout, ...options }) => {
      const { env, stderr, signal } = context
      const baseUrl = options.baseUrl ?? env.WEBHOOK_BASE_URL
      if (!baseUrl)
        throw new UsageError(
          'The URL of the service is missing: use --base-url, or set WEBHOOK_BASE_URL.',
        )
      const apiKey = await readApiKey(options, context)
      const client = await withFlagNames(() =>
        createWebhookClient({
          baseUrl,
          apiKey,
          timeout,
          allowInsecureLoopback: options.allowInsecureLoopback === true,
          extraEvents: extraEvent,
        }),
      )
      const wanted = events.includes('all') ? [...EVENTS, ...extraEvent] : events
      const destination = await prepareDestination(options, context)
      if (stderr.isTTY) stderr.write(`Registering at ${new URL(baseUrl).host} …\n`)
      const webhook = await created(
        () => client.create({ url, events: wanted }, { signal }),
        destination,
        signal,
      )
      const stored = await destination.store(webhook.secret)
      writeCreated({ url, webhook, stored }, options, context)
      end(stored.problem === undefined ? 0 : 1)
    })

/** Creates it, or leaves everything as it was. */
async function created(
  create: () => Promise<CreatedWebhook>,
  destination: Destination,
  signal: AbortSignal,
): Promise<CreatedWebhook> {
  try {
    return await withFlagNames(create)
  } catch (error) {
    await destination.discard()
    if (signal.aborted) {
      throw new Interrupted(
        'The webhook may have been created: look for it at the service and delete it.',
      )
    }
    throw failureOf(error)
  }
}
