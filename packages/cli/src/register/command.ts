import { createWebhookClient } from '@webhook-receiver/client'
import { EVENTS } from '@webhook-receiver/core'
import { Interrupted, messageOf, UsageError } from '../console/index.ts'
import {
  apiKeyFromEnv,
  general,
  type MakeCommand,
  names,
  newCommand,
  readApiKey,
  TIMEOUT,
} from '../options/index.ts'
import { newSecretFile, WRITE_SECRET } from '../secret/write-secret.ts'
import { callClient } from './errors.ts'
import { writeCreated } from './report.ts'

const known: readonly string[] = EVENTS

const EXAMPLES = ['register --url https://a.example/ --write-secret secret']

/** `register`: a webhook at the service, its secret kept out of sight. */
export const registerCommand: MakeCommand = (context, end) =>
  general(
    newCommand('register', 'Register a webhook of the default format', EXAMPLES)
      .optionsGroup('Webhook:')
      .option('--url <url>', 'URL that receives the deliveries (required)')
      .option(
        '--events <names>',
        `events to deliver, separated by commas (default: ${EVENTS.join(', ')})`,
        names,
      )
      .optionsGroup('Service:')
      .option(
        '--base-url <url>',
        'URL of the service, such as that of emulate (default: $WEBHOOK_BASE_URL)',
      )
      .option(
        '--api-key-file <path>',
        'read the API key from this file (default: $WEBHOOK_API_KEY, or a prompt)',
      )
      .option(...TIMEOUT, 10)
      .optionsGroup('Secret:')
      .option(...WRITE_SECRET)
      .option('--show-secret', 'print the secret of the webhook'),
  ).action(async ({ url = '', events = EVENTS, timeout, writeSecret, ...options }) => {
    const { env, stdin, stderr, signal } = context
    const baseUrl = options.baseUrl ?? env.WEBHOOK_BASE_URL ?? ''
    const apiKey = options.apiKeyFile ?? apiKeyFromEnv(context)
    const missing = [
      url === '' && '--url: the URL that receives the deliveries',
      baseUrl === '' && '--base-url or WEBHOOK_BASE_URL: the URL of the service',
      !apiKey && !stdin.isTTY && 'WEBHOOK_API_KEY or --api-key-file: the API key of the service',
      !(writeSecret ?? options.showSecret) &&
        '--write-secret or --show-secret: where the secret goes (it is sent once)',
    ].filter((line) => line !== false)
    if (missing.length > 0) throw new UsageError(`Missing:\n- ${missing.join('\n- ')}`)
    const key = await readApiKey(options, context)
    const client = await callClient(() =>
      createWebhookClient({
        baseUrl,
        apiKey: key,
        timeout,
        // Nobody else hears what goes to this machine.
        allowInsecureLoopback: true,
        extraEvents: events.filter((event) => !known.includes(event)),
      }),
    )
    const store = writeSecret === undefined ? undefined : await newSecretFile(writeSecret)
    if (stderr.isTTY) stderr.write(`Registering at ${new URL(baseUrl).host} …\n`)
    const creating = callClient(() => client.create({ url, events }, { signal }))
    const webhook = await creating.catch((error: unknown) => {
      if (!signal.aborted) throw error
      const advice = 'look for it at the service and delete it.'
      throw new Interrupted(`The webhook may have been created: ${advice}`)
    })
    const problem = await store?.(webhook.secret).then(() => undefined, messageOf)
    writeCreated({ url, webhook, path: writeSecret, problem }, options, context)
    end(problem === undefined ? 0 : 1)
  })
