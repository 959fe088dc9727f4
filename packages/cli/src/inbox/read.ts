import type { Inbox } from '@webhook-receiver/inbox'
import {
  type CommandContext,
  type ExitCode,
  paintFor,
  printable,
  shellWord,
  writeJson,
} from '../console/index.ts'
import type { JsonOptions } from '../options/index.ts'
import { TABLE } from './open-inbox.ts'
import { countLines, entryText, linesOf } from './report.ts'

/** The inbox that a command is about. */
export interface OpenedInbox extends JsonOptions {
  readonly inbox: Inbox<string>
  readonly table: string
  readonly context: CommandContext
}

type Filter = NonNullable<Parameters<Inbox<string>['list']>[0]>

const DEAD = ['--state', 'dead']

/** No worker leaves a delivery alone for so long, in seconds. */
const LATE = 30

/** How much there is of each service. */
export async function countAll(opened: OpenedInbox): Promise<void> {
  const { stdout, stderr, env } = opened.context
  const stats = await opened.inbox.stats()
  if (stats.length === 0) stderr.write('Nothing waits, and nothing is dead.\n')
  if (opened.json) {
    for (const { handled, ...counts } of stats) writeJson(stdout, counts)
    return
  }
  for (const line of countLines(stats, paintFor(stdout, env))) stdout.write(`${line}\n`)
  if (stats.some(({ dead }) => dead > 0)) next('See why', ['list', ...DEAD], opened)
  const isLate = stats.some(({ oldestDue }) => (oldestDue ?? 0) > LATE)
  if (isLate && stats.every(({ running }) => running === 0)) {
    stderr.write('Nothing is running: is there a worker in your application?\n')
  }
}

/** The latest first. */
export async function listEntries(opened: OpenedInbox, filter: Filter): Promise<void> {
  const { stdout, stderr, env } = opened.context
  const entries = await opened.inbox.list(filter)
  const [newest] = entries
  if (!newest) {
    const none = filter.state ? `Nothing is ${filter.state}.` : 'The inbox is empty.'
    stderr.write(`${(await otherService(opened, filter.service)) ?? none}\n`)
    return
  }
  if (opened.json) {
    for (const entry of entries) writeJson(stdout, entry)
    return
  }
  for (const line of linesOf(entries, paintFor(stdout, env), stdout.columns))
    stdout.write(`${line}\n`)
  if (entries.length === filter.limit) {
    stderr.write(`Older ones: add --before ${entries.at(-1)?.id}\n`)
  }
  next('Details of one', ['show', newest.id], opened)
  if (filter.state !== 'dead') return
  const service = filter.service === undefined ? [] : ['--service', shellWord(filter.service)]
  next('Handle them again', ['retry', ...DEAD, ...service], opened)
}

/** All that is known of each. 1 if one of them is not there. */
export async function showEach(opened: OpenedInbox, ids: readonly string[]): Promise<ExitCode> {
  const { inbox, json, context } = opened
  const { stdout, stderr, env } = context
  const dead: string[] = []
  let code: ExitCode = 0
  for (const id of ids) {
    const entry = await inbox.show(id)
    if (entry === undefined) {
      code = 1
      stderr.write(missing(id))
      continue
    }
    if (json) writeJson(stdout, entry)
    else stdout.write(entryText(entry, paintFor(stdout, env)))
    if (entry.state === 'dead') dead.push(id)
  }
  if (dead.length > 0 && !json) {
    next(`Handle ${dead.length === 1 ? 'it' : 'them'} again`, ['retry', ...dead], opened)
  }
  return code
}

export function missing(id: string): string {
  return `${id} is not in the inbox.\n`
}

/** Names the services that there are, where the inbox does not have the one that was asked for. */
export async function otherService(
  { inbox }: Pick<OpenedInbox, 'inbox'>,
  service: string | undefined,
): Promise<string | undefined> {
  if (service === undefined || (await inbox.list({ service, limit: 1 })).length > 0) {
    return undefined
  }
  const names = (await inbox.stats()).map((each) => each.service)
  const others = names.length > 0 ? ` It has: ${names.join(', ')}.` : ''
  return printable(`The inbox has nothing of ${JSON.stringify(service)}.${others}`)
}

/** The command that comes next. */
function next(aim: string, words: readonly string[], { table, context }: OpenedInbox): void {
  const flags = table === TABLE ? [] : ['--table', table]
  const command = ['npx webhook-receiver inbox', ...words, ...flags].join(' ')
  context.stderr.write(`${aim}: ${command}\n`)
}
