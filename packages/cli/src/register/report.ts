import type { CreatedWebhook } from '@webhook-receiver/client'
import { type CommandContext, paintFor, printable, writeJson } from '../console/index.ts'
import { jsonText } from '../options/index.ts'

interface Created {
  readonly url: string
  readonly webhook: CreatedWebhook
  /** The file of the secret. */
  readonly path: string | undefined
  /** Why it is not there. */
  readonly problem: string | undefined
}

/** Tells of a webhook that was created, and where its secret is; the secret itself where that is asked for. */
export function writeCreated(
  { url, webhook, path, problem }: Created,
  options: { readonly json?: true | undefined; readonly showSecret?: true | undefined },
  { stdout, stderr, env }: CommandContext,
): void {
  // It must not keep the secret from being printed.
  const record =
    jsonText(webhook.record) === undefined ? 'nested too deep to be shown' : webhook.record
  if (problem !== undefined) {
    // The last resort: a secret on a screen can be replaced, but a lost one cannot be recovered.
    stderr.write(
      `The webhook was created, but its secret cannot be stored: ${printable(problem)}.\nThe service does not send it again. The secret is: ${printable(webhook.secret)}\n`,
    )
  }
  if (options.json) {
    writeJson(stdout, {
      webhook: record,
      secret_in: problem === undefined ? path : undefined,
      problem,
      secret: options.showSecret && webhook.secret,
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
