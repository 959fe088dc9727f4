import pg from 'pg'
import { migrationOf } from '../src/schema.ts'
import { statementsFor } from '../src/statements.ts'
import { DATABASE_URL, tablesOfInbox } from './inboxes.ts'

/** What a session does next. Each is what one process sends before it waits for a response. */
type Step = (session: Session) => Promise<unknown>

interface Session {
  readonly client: pg.Client
  readonly pid: number
  readonly steps: readonly Step[]
  next: number
  /** What it waits for: PostgreSQL, because of another session. */
  blocked?: Promise<unknown> | undefined
  claimed?: { readonly id: string; readonly token: string } | undefined
  held?: { readonly since: string } | undefined
}

const NOTHING = { id: '0', token: '' }

function connect() {
  // Which locks there are does not depend on when a commit is on the disk.
  return new pg.Client({ connectionString: DATABASE_URL, options: '-c synchronous_commit=off' })
}

/** Whether a session has begun what it has to end. */
function isBusy({ next, steps, blocked }: Session) {
  return blocked !== undefined || next % steps.length !== 0
}

/** Three sessions of PostgreSQL on one key of an inbox, which make their steps in an order that a test chooses. */
export function createSessions(table: string) {
  const statements = statementsFor(table, 1)
  const names = tablesOfInbox(table)
  const watcher = connect()
  const sessions: Session[] = []
  let [runs, stored, tokens] = [0, 0, 0]

  const send = async (
    { client }: Pick<Session, 'client'>,
    name: keyof typeof statements,
    ...values: unknown[]
  ) => (await client.query({ ...statements[name], values })).rows

  const claim: Step = async (session) => {
    const token = `token ${tokens++}`
    const rows = await send(session, 'claim', 1, 60, token, 60, 0, 'stripe', 1)
    const found = rows.find(({ claim }) => claim === 'runs')
    session.claimed = found && { id: found.id, token }
  }

  const begin: Step = ({ client }) => client.query('BEGIN ISOLATION LEVEL READ COMMITTED')

  const hold: Step = async (session) => {
    await begin(session)
    const { id, token } = session.claimed ?? NOTHING
    session.held = (await send(session, 'hold', id, token, '60000', 'done'))[0]
  }

  const seal: Step = async (session) => {
    const { claimed, held } = session
    if (claimed && held) await send(session, 'seal', claimed.id, claimed.token)
  }

  const end: Step = async (session) => {
    const { claimed, held } = session
    if (!(claimed && held)) return
    // Every third is dead, so that there is something to retry.
    const state = Number(claimed.id) % 3 === 0 ? 'dead' : 'done'
    await send(session, 'end', claimed.id, claimed.token, state, '', 0, held.since)
  }

  const next: Step = async (session) => {
    if (!session.held) return
    const token = `token ${tokens++}`
    const rows = await send(session, 'next', session.held.since, 60, token, 0, 'stripe', 1)
    session.claimed = { id: rows[0]?.id ?? NOTHING.id, token }
  }

  const follow: Step = async (session) => {
    if (!session.held) return
    const { token, id } = session.claimed ?? NOTHING
    const following = [
      session.client.query('COMMIT AND CHAIN'),
      send(session, 'follow', token, '60000'),
    ]
    const [, [held]] = (await Promise.all(following)) as [unknown, { id: string; since: string }[]]
    session.held = held
    if (id === NOTHING.id) session.claimed = undefined
    if (held && held.id !== id) throw new Error(`Holds ${held.id} instead of ${id}.`)
  }

  /** What was claimed and could not be held is given back, as by a worker. */
  const commit: Step = async (session) => {
    await session.client.query('COMMIT')
    const { claimed, held } = session
    session.claimed = undefined
    session.held = undefined
    if (claimed && !held) await send(session, 'again', claimed.id, claimed.token, 0, '', 1, 0)
  }

  const add = (session: Pick<Session, 'client'>) => {
    // Every second statement stores two.
    const added = Array.from({ length: stored % 3 === 1 ? 2 : 1 }, () => ({
      key: `stripe:${stored++}`,
      ...{ lane: 'one key', service: 'stripe', delivery: '{}' },
    }))
    return send(session, 'add', JSON.stringify(added))
  }

  const retry: Step = (session) => send(session, 'retry', '', '["dead","done"]', '', 0, '', 10)

  /** Resolves when the step is made, or when PostgreSQL lets it wait for another session. */
  async function step(session: Session) {
    session.blocked ??= session.steps[session.next++ % session.steps.length]?.(session)
    const made = session.blocked?.then(() => 'made')
    while ((await Promise.race([made, isWaiting(session)])) === false) {}
    if ((await Promise.race([made, undefined])) === 'made') session.blocked = undefined
  }

  async function isWaiting({ pid }: Session): Promise<boolean> {
    const { rows } = await watcher.query({
      ...{ name: 'waiting', values: [pid] },
      text: 'SELECT cardinality(pg_blocking_pids($1)) > 0 AS waits',
    })
    return rows[0]?.waits === true
  }

  async function withoutHead(): Promise<string | undefined> {
    const { rows } = await watcher.query(
      `SELECT count(*)::integer AS open, count(due)::integer AS awake FROM ${table}_open`,
    )
    const { open, awake } = rows[0]
    return open > 0 && awake === 0 ? `${open} are open, and none of them is awake.` : undefined
  }

  /** Works off what is open, with one session. */
  async function drain(): Promise<string | undefined> {
    const [session] = sessions
    if (!session) return 'There is no session.'
    const handled: number[] = []
    for (;;) {
      const { rows } = await watcher.query(`SELECT 1 FROM ${table}_open LIMIT 1`)
      if (rows.length === 0) break
      // Each look is at one, and sends it to sleep if it is behind another.
      for (let look = 0; look < stored && !session.claimed; look++) await claim(session)
      if (!session.claimed) return 'What is open cannot be claimed.'
      handled.push(Number(session.claimed.id))
      for (const make of [hold, seal, end, commit]) await make(session)
    }
    const sorted = handled.toSorted((one, other) => one - other)
    if (`${handled}` !== `${sorted}`) return `Handled in the order ${handled}.`
    const { rows } = await watcher.query(`SELECT id FROM ${table}_ended`)
    return rows.length === stored ? undefined : `${rows.length} of ${stored} ended.`
  }

  return {
    async open() {
      await watcher.connect()
      await watcher.query(migrationOf({ table }))
      // A worker that handles two in a row, one whose claim may be of another row of the key, and a receiver whose commit takes its time.
      const one = [claim, hold, seal, end]
      const series = [...one, next, follow, seal, end, commit]
      for (const steps of [series, [...one, commit, retry], [begin, add, commit]]) {
        const client = connect()
        await client.connect()
        const { rows } = await client.query('SELECT pg_backend_pid() AS pid')
        sessions.push({ client, pid: rows[0].pid, steps, next: 0 })
      }
    },

    async close() {
      await Promise.all(sessions.map(({ client }) => client.end()))
      await watcher.query(`DROP TABLE IF EXISTS ${names}`)
      await watcher.end()
    },

    /** Lets the sessions make one step each time they are named, ends what they began, and returns what is wrong then. */
    async run(order: readonly number[]) {
      // TRUNCATE takes longer than the rest of a run, and what was deleted is read until it is vacuumed.
      for (const name of names.split(', ')) await watcher.query(`DELETE FROM ${name}`)
      if (runs++ % 100 === 99) await watcher.query(`VACUUM ${names}`)
      stored = 0
      await add({ client: watcher })
      for (const session of sessions) session.next = 0
      for (const at of order) await step(sessions[at] as Session)
      // In each round at least one of those that wait can go on.
      for (let round = 0; sessions.some(isBusy); round++) {
        if (round === 50) return 'The sessions wait for one another.'
        for (const session of sessions.filter(isBusy)) await step(session)
      }
      return (await withoutHead()) ?? drain()
    },
  }
}
