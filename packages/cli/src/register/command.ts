import { type CreatedWebhook, createWebhookClient, EVENTS } from '@webhook-receiver/client'
import { type MakeCommand, newCommand } from '../command.ts'
import { readApiKey } from '../credential.ts'
import { Interrupted, UsageError } from '../failure.ts'
import { names, positive } from '../option-values.ts'
import {
  DEFAULT_VARIABLE,
  type Destination,
  prepareDestination,
} from '../secret-destination/destination.ts'
import { failureOf } from './failure.ts'
import { inFlags } from './flags.ts'
import { writeCreated } from './report.ts'

const EXAMPLES = [
  'register --url https://example.com/webhooks --events message.received --secret-file webhook-secret',
  'register --url https://example.com/webhooks --events all --dotenv .env',
]

/** `register`: a webhook at the service, its secret kept out of sight. */
export const registerCommand: MakeCommand = (context, end) =>
  newCommand('register', 'registers a webhook and keeps its secret', EXAMPLES)
    .requiredOption('--url <url>', 'where deliveries are to arrive')
    .requiredOption('--events <names>', `"all", or out of: ${EVENTS.join(', ')}`, names)
    .option('--extra-event <names>', 'let --events name these newer ones too', names)
    .option('--base-url <url>', 'the service (default: $WEBHOOK_BASE_URL)')
    .option('--api-key-file <path>', 'read the API key from this file (default: $WEBHOOK_API_KEY)')
    .option('--allow-insecure-loopback', 'let both be http:// on this machine')
    .option('--secret-file <path>', 'write the secret to this new file')
    .option('--dotenv <path>', 'or set a variable of this .env file')
    .option('--env-var <name>', `which variable (default: ${DEFAULT_VARIABLE})`)
    .option('--show-secret', 'or print it')
    .option('--force', 'replace the file, or the value of the variable')
    .option('--timeout <seconds>', 'how long to wait for the service', positive(3600), 10)
    .action(async ({ url, events, extraEvent = [], timeout, ...options }) => {
      const { env, stderr, signal } = context
      const baseUrl = options.baseUrl ?? env.WEBHOOK_BASE_URL
      if (!baseUrl) throw new UsageError('Name the service: --base-url, or WEBHOOK_BASE_URL.')
      const apiKey = await readApiKey(options, context)
      const client = await inFlags(() =>
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
      const handover = await destination.hand(webhook.secret)
      writeCreated({ url, webhook, handover }, options, context)
      end(handover.problem === undefined ? 0 : 1)
    })

/** Creates it, or leaves everything as it was. */
async function created(
  create: () => Promise<CreatedWebhook>,
  destination: Destination,
  signal: AbortSignal,
): Promise<CreatedWebhook> {
  try {
    return await inFlags(create)
  } catch (error) {
    await destination.abandon()
    if (signal.aborted) {
      throw new Interrupted('The webhook may exist: look for it at the service, and delete it.')
    }
    throw failureOf(error)
  }
}
