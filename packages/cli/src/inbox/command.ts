import { asUsageError } from '../console/index.ts'
import { general, type MakeCommand, nameOutOf, newCommand, whole } from '../options/index.ts'
import { checkAction, STATES } from './action.ts'
import { openInbox, TABLE } from './open-inbox.ts'
import { countAll, listEntries, showEach } from './read.ts'
import { retryEach, retryMany } from './retry.ts'

const EXAMPLES = [
  'inbox',
  'inbox list --state dead',
  'inbox show 17',
  'inbox retry 17 18',
  'inbox retry --state dead --service stripe',
]

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
    checkAction(action, ids, (option) => command.getOptionValueSource(option) === 'cli')
    const { inbox, close } = await openInbox(table, context)
    const opened = { inbox, table, json, context }
    try {
      if (action === 'count') await countAll(opened)
      else if (action === 'list') await listEntries(opened, { ...where, limit, state })
      else if (action === 'show') return end(await showEach(opened, ids))
      else if (ids.length > 0) return end(await retryEach(opened, ids))
      else await retryMany(opened, { ...where, after, rate, state: state as 'dead' })
      end(0)
    } catch (error) {
      asUsageError(() => {
        throw error
      })
    } finally {
      await close()
    }
  })
