import type { InboxRetried, InboxRetry } from '@webhook-receiver/inbox'
import { type ExitCode, Interrupted, writeJson } from '../console/index.ts'
import { missing, type OpenedInbox, otherService } from './read.ts'

/** Nothing is handled by this command. */
const WORKER = 'The worker of your application does that, so one has to run.\n'

/** Says how far it is, and where to go on if it is interrupted. */
export async function retryMany(opened: OpenedInbox, options: InboxRetry): Promise<void> {
  const { inbox, json } = opened
  const { stdout, stderr, signal } = opened.context
  const stats = await inbox.stats()
  const chosen = stats.filter(({ service }) => [service, undefined].includes(options.service))
  const dead = chosen.reduce((sum, each) => sum + each.dead, 0)
  if (options.state === 'dead' && dead > 0) {
    const deliveries = dead === 1 ? 'delivery is' : 'deliveries are'
    stderr.write(`${dead} ${deliveries} dead.\n`)
  }
  if (options.state === 'done') stderr.write('Handling again what is done repeats its effects.\n')
  const onProgress = ({ retried, last }: InboxRetried) =>
    stderr.write(`${retried} will be handled again (up to id ${last}).\n`)
  const result = await inbox.retry({ ...options, onProgress, signal })
  if (json) writeJson(stdout, result)
  if (signal.aborted) {
    const { last } = result
    throw new Interrupted(last ? `Continue with --after ${last}.` : 'Nothing was retried.')
  }
  if (result.retried > 0) stderr.write(WORKER)
  if (json || result.retried > 0) return
  stderr.write(`${(await otherService(opened, options.service)) ?? 'There is nothing to retry.'}\n`)
}

/** 1 if one of them is not there, or cannot be retried. */
export async function retryEach(
  { inbox, context: { stderr } }: OpenedInbox,
  ids: readonly string[],
): Promise<ExitCode> {
  let code: ExitCode = 0
  let retried = false
  for (const id of ids) {
    const entry = await inbox.show(id)
    if (entry && (await inbox.retry(id))) {
      retried = true
      const again = entry.state === 'done' ? ' It was done: its effects repeat.' : ''
      stderr.write(`${id} will be handled again.${again}\n`)
      continue
    }
    code = 1
    const why = `${id} is ${entry?.state}: only what is dead or done can be retried.\n`
    stderr.write(entry ? why : missing(id))
  }
  if (retried) stderr.write(WORKER)
  return code
}
