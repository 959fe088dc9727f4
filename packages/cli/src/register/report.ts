import type { CreatedWebhook } from '@webhook-receiver/client'
import { type CommandContext, paintFor, printable, writeJson } from '../console/index.ts'
import { jsonText } from '../options/index.ts'
import type { StoredSecret } from '../secret/destination.ts'

interface Created {
  readonly url: string
  readonly webhook: CreatedWebhook
  readonly stored: StoredSecret
}

/** Tells of a webhook that was created, and where its secret is; the secret itself where that is asked for. */
export function writeCreated(
  { url, webhook, stored }: Created,
  options: { readonly json?: true | undefined; readonly showSecret?: true | undefined },
  { stdout, stderr, env }: CommandContext,
): void {
  const { path, problem } = stored
  // It must not keep the secret from being printed.
  const record =
    jsonText(webhook.record) === undefined ? 'nested too deep to be shown' : webhook.record
  if (problem !== undefined) stderr.write(`The webhook was created, but ${printable(problem)}.\n`)
  if (options.json) {
    writeJson(stdout, {
      webhook: record,
      ...(path !== undefined && { secret_in: path }),
      ...(problem !== undefined && { problem }),
      ...(options.showSecret && { secret: webhook.secret }),
    })
    return
  }
  const paint = paintFor(stdout, env)
  stdout.write(
    [
      `${paint('green', 'created')}  ${printable(url)}  ${printable(JSON.stringify(record))}`,
      ...(path !== undefined && problem === undefined
        ? [`The secret is in ${printable(path)}.`]
        : []),
      ...(options.showSecret ? [`The secret: ${printable(webhook.secret)}`] : []),
      '',
    ].join('\n'),
  )
}
