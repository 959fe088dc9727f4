import type { Inbox, InboxRetried, InboxRetry } from '@webhook-receiver/inbox'
import {
  asUsageError,
  type ExitCode,
  Interrupted,
  paintFor,
  printable,
  shellWord,
  writeJson,
} from '../console/index.ts'
import { general, type MakeCommand, nameOutOf, newCommand, whole } from '../options/index.ts'
import { checkAction, STATES } from './action.ts'
import { openInbox } from './open-inbox.ts'
import { countLines, entryText, linesOf } from './report.ts'

const EXAMPLES = [
  'inbox',
  'inbox list --state dead',
  'inbox show 17',
  'inbox retry 17 18',
  'inbox retry --state dead --service stripe',
]

const TABLE = 'webhook_inbox'

const DEAD = ['--state', 'dead']

/** Nothing is handled by this command. */
const WORKER = 'A worker of your application has to run.\n'

/** `inbox`: how much is in the table of an inbox, what that is, and what is to be handled again. */
export const inboxCommand: MakeCommand = (context, end) =>
  general(
    newCommand('inbox', 'Count, list and retry the deliveries in an inbox', EXAMPLES)
      .argument('[action]', 'list, show or retry; without it, counts them by service', 'count')
      .argument('[ids...]', 'which deliveries to show or retry')
      .optionsGroup('Database (DATABASE_URL, also in .env, or PGHOST and the like):')
      .option('--table <name>', 'the table of the inbox', TABLE)
      .optionsGroup('With list, and with retry instead of ids:')
      .option('--state <state>', 'only what is waiting, running, done or dead', nameOutOf(STATES))
      .option('--service <name>', 'only what is from this service')
      .option('--before <id>', 'only what is older than this one')
      .option('--limit <number>', 'with list: how many, the latest first', whole(1, 10_000), 100)
      .option('--after <id>', 'with retry: only what is newer than this one')
      .option('--rate <number>', 'with retry: how many a second', whole(1, 10_000), 100),
  ).action(async (action, ids, { table, json, state, limit, after, rate, ...where }, command) => {
    const paint = paintFor(context.stdout, context.env)
    checkAction(action, ids, (option) => command.getOptionValueSource(option) === 'cli')
    const { inbox, close } = await openInbox(table, context)
    try {
      if (action === 'count') await count(inbox)
      else if (action === 'list') await list(inbox, { ...where, limit, state })
      else if (state) await retryMany(inbox, { ...where, after, rate, state: state as 'dead' })
      end(await each(inbox, ids, action === 'show'))
    } catch (error) {
      asUsageError(() => {
        throw error
      })
    } finally {
      await close()
    }

    async function count(inbox: Inbox<string>): Promise<void> {
      const stats = await inbox.stats()
      if (json) for (const { handled, ...counts } of stats) writeJson(context.stdout, counts)
      else for (const line of countLines(stats, paint)) context.stdout.write(`${line}\n`)
      if (!json && stats.some(({ dead }) => dead > 0)) next('See why', ['list', ...DEAD])
      if (stats.length === 0) context.stderr.write('Nothing waits, and nothing is dead.\n')
    }

    /** The command that comes next. */
    function next(aim: string, words: readonly string[], service?: string): void {
      const flags = [
        ...(service === undefined ? [] : ['--service', shellWord(service)]),
        ...(table === TABLE ? [] : ['--table', table]),
      ]
      const command = ['npx webhook-receiver inbox', ...words, ...flags].join(' ')
      context.stderr.write(`${aim}: ${command}\n`)
    }

    async function list(
      inbox: Inbox<string>,
      options: Parameters<Inbox<string>['list']>[0],
    ): Promise<void> {
      const entries = await inbox.list(options)
      if (json) for (const entry of entries) writeJson(context.stdout, entry)
      else for (const line of linesOf(entries, paint)) context.stdout.write(`${line}\n`)
      const { stderr } = context
      const [oldest] = entries.slice(-1)
      if (!json && oldest && entries.length === limit) {
        stderr.write(`Older ones: add --before ${oldest.id}\n`)
      }
      const [newest] = entries
      if (!json && newest) next('See one', ['show', newest.id])
      if (!json && newest && state === 'dead')
        next('Handle them again', ['retry', ...DEAD], where.service)
      if (oldest) return
      const none = state ? `Nothing is ${state}.` : 'The inbox is empty.'
      stderr.write(`${(await otherService(inbox)) ?? none}\n`)
    }

    /** Names the services that there are, where the inbox does not have the one that was asked for. */
    async function otherService(inbox: Inbox<string>): Promise<string | undefined> {
      const { service } = where
      if (service === undefined || (await inbox.list({ service, limit: 1 })).length > 0)
        return undefined
      const names = (await inbox.stats()).map((each) => each.service)
      const others = names.length > 0 ? ` It has: ${names.join(', ')}.` : ''
      return printable(`The inbox has nothing of ${JSON.stringify(service)}.${others}`)
    }

    /** Says how far it is, and where to go on if it is interrupted. */
    async function retryMany(inbox: Inbox<string>, options: InboxRetry): Promise<void> {
      const { stderr, signal } = context
      const stats = await inbox.stats()
      const chosen = stats.filter(({ service }) => [service, undefined].includes(options.service))
      const dead = chosen.reduce((sum, each) => sum + each.dead, 0)
      if (options.state === 'dead' && dead > 0) {
        stderr.write(`${dead} ${dead === 1 ? 'is' : 'are'} dead.\n`)
      }
      if (options.state === 'done')
        stderr.write('Handling again what is done repeats its effects.\n')
      const onProgress = ({ retried, last }: InboxRetried) =>
        stderr.write(`${retried} will be handled again (up to id ${last}).\n`)
      const result = await inbox.retry({ ...options, onProgress, signal })
      if (json) writeJson(context.stdout, result)
      if (signal.aborted) {
        const { last } = result
        throw new Interrupted(last ? `Continue with --after ${last}.` : 'Nothing was retried.')
      }
      if (result.retried > 0) stderr.write(WORKER)
      if (json || result.retried > 0) return
      stderr.write(`${(await otherService(inbox)) ?? 'There is nothing to retry.'}\n`)
    }

    /** 1 if one of them is not there, or cannot be retried. */
    async function each(
      inbox: Inbox<string>,
      ids: readonly string[],
      shown: boolean,
    ): Promise<ExitCode> {
      const { stdout, stderr } = context
      let code: ExitCode = 0
      let retried = false
      for (const id of ids) {
        const entry = await inbox.show(id)
        if (entry === undefined) {
          code = 1
          stderr.write(`${id} is not in the inbox.\n`)
        } else if (shown) {
          if (json) writeJson(stdout, entry)
          else stdout.write(entryText(entry, paint))
        } else if (await inbox.retry(id)) {
          retried = true
          const again = entry.state === 'done' ? ' It was done: its effects repeat.' : ''
          stderr.write(`${id} will be handled again.${again}\n`)
        } else {
          code = 1
          stderr.write(`${id} is ${entry.state}: only what is dead or done can be retried.\n`)
        }
      }
      if (retried) stderr.write(WORKER)
      return code
    }
  })
