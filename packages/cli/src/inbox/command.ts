import type { Inbox, InboxRetried, InboxRetry, InboxState } from '@webhook-receiver/inbox'
import {
  asUsageError,
  type ExitCode,
  paintFor,
  printableLines,
  UsageError,
  writeJson,
} from '../console/index.ts'
import { general, type MakeCommand, nameOutOf, newCommand, whole } from '../options/index.ts'
import { openInbox } from './open-inbox.ts'
import { countLines, linesOf } from './report.ts'

const EXAMPLES = [
  'inbox',
  'inbox list --state dead',
  'inbox show 17',
  'inbox retry 17 18',
  'inbox retry --state dead --service stripe',
]

const STATES: readonly InboxState[] = ['waiting', 'running', 'done', 'dead']
const ACTIONS = ['count', 'list', 'show', 'retry']

/** `inbox`: how much is in the table of an inbox, what that is, and what is to be handled again. */
export const inboxCommand: MakeCommand = (context, end) =>
  general(
    newCommand('inbox', 'Count, list and retry the deliveries in an inbox', EXAMPLES)
      .argument('[action]', 'list, show or retry; without it, counts them by service', 'count')
      .argument('[ids...]', 'which deliveries to show or retry')
      .addHelpText('after', NOTE)
      .option('--table <name>', 'the table of the inbox', 'webhook_inbox')
      .optionsGroup('With list, and with retry instead of ids:')
      .option('--state <state>', 'only what is waiting, running, done or dead', nameOutOf(STATES))
      .option('--service <name>', 'only what is from this service')
      .option('--before <id>', 'only what is older than this one')
      .option('--limit <number>', 'with list: how many, the latest first', whole(1, 10_000), 100)
      .option('--after <id>', 'with retry: only what is newer than this one')
      .option('--rate <number>', 'with retry: how many a second', whole(1, 10_000), 100),
  ).action(async (action, ids, { table, json, state, limit, after, rate, ...where }) => {
    const paint = paintFor(context.stdout, context.env)
    const many = action === 'retry' && state !== undefined
    const isOfAll = action === 'list' || action === 'count' || many
    if (!ACTIONS.includes(action) || isOfAll !== (ids.length === 0)) {
      throw new UsageError(
        'Write `inbox list`, `inbox show <id>`, `inbox retry <id>` or `inbox retry --state dead`.',
      )
    }
    const { inbox, close } = await openInbox(table, context)
    try {
      if (action === 'count') await count(inbox)
      if (action === 'list') await list(inbox, { ...where, limit, state })
      else if (many) await retryMany(inbox, { ...where, after, rate, state: state as 'dead' })
      end(isOfAll ? 0 : await each(inbox, ids, action === 'show'))
    } catch (error) {
      if (error instanceof TypeError && error.message.startsWith('`id`')) {
        throw new UsageError(`${error.message} \`inbox list\` shows them.`)
      }
      asUsageError(() => {
        throw error
      })
    } finally {
      await close()
    }

    async function count(inbox: Inbox<string>): Promise<void> {
      const stats = await inbox.stats()
      if (json) for (const { handled, ...counts } of stats) writeJson(context.stdout, counts)
      else for (const line of countLines(stats)) context.stdout.write(`${line}\n`)
      if (!json && stats.some(({ dead }) => dead > 0)) {
        context.stderr.write('See them: webhook-receiver inbox list --state dead\n')
      }
      if (stats.length === 0) context.stderr.write('Nothing waits, and nothing is dead.\n')
    }

    async function list(
      inbox: Inbox<string>,
      options: Parameters<Inbox<string>['list']>[0],
    ): Promise<void> {
      const entries = await inbox.list(options)
      if (json) for (const entry of entries) writeJson(context.stdout, entry)
      else for (const line of linesOf(entries, paint)) context.stdout.write(`${line}\n`)
      if (entries.length === 0) {
        context.stderr.write(`Nothing is ${options?.state ?? 'there'}.\n`)
      }
    }

    /** Says how far it is, and where to go on if it is interrupted. */
    async function retryMany(inbox: Inbox<string>, options: InboxRetry): Promise<void> {
      const { stderr } = context
      const stats = await inbox.stats()
      const chosen = stats.filter(({ service }) => [service, undefined].includes(options.service))
      const dead = chosen.reduce((sum, each) => sum + each.dead, 0)
      if (options.state === 'dead') stderr.write(`${dead} ${dead === 1 ? 'is' : 'are'} dead.\n`)
      const onProgress = ({ retried, last }: InboxRetried) =>
        stderr.write(`${retried} will be handled again (up to id ${last}).\n`)
      const result = await inbox.retry({ ...options, onProgress })
      if (json) writeJson(context.stdout, result)
      else if (result.retried === 0) stderr.write('There is nothing to retry.\n')
    }

    /** 1 if one of them is not there. */
    async function each(
      inbox: Inbox<string>,
      ids: readonly string[],
      shown: boolean,
    ): Promise<ExitCode> {
      let code: ExitCode = 0
      for (const id of ids) {
        const found = shown ? await inbox.show(id) : await inbox.retry(id)
        if (!found) {
          code = 1
          const missing = shown ? 'is not in the inbox' : 'is neither dead nor done, or not there'
          context.stderr.write(`${id} ${missing}.\n`)
        } else if (found === true) context.stderr.write(`${id} will be handled again.\n`)
        else if (json) writeJson(context.stdout, found)
        else context.stdout.write(`${printableLines(JSON.stringify(found, undefined, 2))}\n`)
      }
      return code
    }
  })

const NOTE =
  '\nThe database is that of DATABASE_URL, also in .env, or of the variables of\nPostgreSQL, such as PGHOST. The command uses the `pg` of this folder.'
