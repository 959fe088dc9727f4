import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type {
  Inbox,
  InboxEntry,
  InboxRetried,
  InboxRetry,
  InboxState,
  InboxStats,
} from '@webhook-receiver/inbox'
import {
  asUsageError,
  type CommandContext,
  counted,
  cut,
  type ExitCode,
  Failure,
  messageOf,
  type Paint,
  paintFor,
  printable,
  printableLines,
  type Style,
  UsageError,
  writeJson,
} from '../console/index.ts'
import { general, type MakeCommand, newCommand, whole } from '../options/index.ts'

const EXAMPLES = [
  'inbox',
  'inbox list --state dead',
  'inbox show 17',
  'inbox retry 17 18',
  'inbox retry --state dead --service stripe',
]

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
      .option('--state <state>', 'only what is waiting, running, done or dead')
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
      // Another state is a TypeError that names all.
      if (action === 'count') await count(inbox)
      if (action === 'list') await list(inbox, { ...where, limit, state: state as InboxState })
      else if (many) await retryMany(inbox, { ...where, after, rate, state: state as 'dead' })
      end(isOfAll ? 0 : await each(inbox, ids, action === 'show'))
    } catch (error) {
      asUsageError(() => {
        throw error
      })
    } finally {
      await close()
    }

    async function count(inbox: Inbox<string>): Promise<void> {
      const stats = await inbox.stats()
      for (const { handled, ...counts } of stats) {
        if (json) writeJson(context.stdout, counts)
        else context.stdout.write(`${countsOf(counts)}\n`)
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
    }

    /** Says how far it is, and where to go on if it is interrupted. */
    async function retryMany(inbox: Inbox<string>, options: InboxRetry): Promise<void> {
      const { stderr } = context
      const stats = await inbox.stats()
      const chosen = stats.filter(({ service }) => [service, undefined].includes(options.service))
      const dead = chosen.reduce((sum, each) => sum + each.dead, 0)
      if (options.state === 'dead') stderr.write(`${dead} are dead.\n`)
      const onProgress = ({ retried, last }: InboxRetried) =>
        stderr.write(`${retried} will be handled again, up to ${last}.\n`)
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
  '\nThe database is that of DATABASE_URL, or of the variables of PostgreSQL, such as PGHOST. The command uses the `pg` of this folder.'

/** How many characters of an error a line has. */
const WIDTH = 100

const STYLES: Readonly<Partial<Record<InboxState, Style>>> = { dead: 'red', done: 'green' }

/** Each entry in a line, in columns as wide as what is in them, and below it why its last attempt failed. */
function linesOf(entries: readonly InboxEntry[], paint: Paint): readonly string[] {
  const rows = entries.map(({ id, state, service, event, attempts, receivedAt }) =>
    [id, state, service, event ?? '–', counted(attempts, 'attempt'), receivedAt].map(printable),
  )
  const widths = rows.reduce<readonly number[]>(
    (most, row) => row.map((cell, at) => Math.max(most[at] ?? 0, cell.length)),
    [],
  )
  return rows.flatMap((row, index) => {
    const { state, error } = entries[index] ?? {}
    const style = state && STYLES[state]
    const cells = row.map((cell, at) => {
      const padded = cell.padEnd(widths[at] ?? 0)
      return at === 1 && style ? paint(style, padded) : padded
    })
    const [why = ''] = (state === 'done' ? '' : (error ?? '')).split('\n')
    const below = why === '' ? [] : [`  ${paint('gray', cut(printable(why), WIDTH))}`]
    return [cells.join('  ').trimEnd(), ...below]
  })
}

function countsOf({
  service,
  waiting,
  running,
  dead,
  oldestDue,
}: Omit<InboxStats, 'handled'>): string {
  const counts = [`${waiting} waiting`, `${running} running`, `${dead} dead`]
  if (oldestDue > 0) counts.push(`the oldest has been due for ${Math.round(oldestDue)} s`)
  return printable([service, ...counts].join('  '))
}

interface Opened {
  readonly inbox: Inbox<string>
  readonly close: () => Promise<void>
}

/** The client is that of the application, which knows the database: this package has none. */
async function openInbox(table: string, { env }: CommandContext): Promise<Opened> {
  const { Pool } = await clientHere()
  const { postgresInbox } = await import('@webhook-receiver/inbox')
  const pool = new Pool({
    connectionString: env.DATABASE_URL,
    max: 1,
    connectionTimeoutMillis: 5000,
  })
  pool.on('error', () => {})
  const query: typeof pool.query = (statement) =>
    pool.query(statement).catch((error) => {
      const isNamed = [env.DATABASE_URL, env.PGHOST, env.PGUSER].some(Boolean)
      const advice = isNamed ? '' : '. Set DATABASE_URL to the database of your application'
      throw new Failure(`PostgreSQL: ${printable(messageOf(error))}${advice}`)
    })
  const inbox = asUsageError(() =>
    postgresInbox({ pool: { query, connect: () => pool.connect() }, table, services: {} }),
  )
  return { inbox, close: () => pool.end() }
}

/** What is used of pg. */
interface Client {
  readonly Pool: new (options: {
    readonly connectionString: string | undefined
    readonly max: number
    readonly connectionTimeoutMillis: number
  }) => {
    on(event: 'error', listener: () => void): unknown
    query(statement: object): Promise<{ readonly rows: readonly unknown[] }>
    connect(): Promise<unknown>
    end(): Promise<void>
  }
}

async function clientHere(): Promise<Client> {
  const here = process.cwd()
  try {
    const path = createRequire(join(here, 'package.json')).resolve('pg')
    const module: { readonly default: Client } = await import(pathToFileURL(path).href)
    return module.default
  } catch (error) {
    throw new UsageError(
      `The client of PostgreSQL cannot be loaded from ${here}: ${printable(messageOf(error).split('\n')[0] ?? '')}. Run this command in the folder of your application, or install it there: npm install pg`,
    )
  }
}
