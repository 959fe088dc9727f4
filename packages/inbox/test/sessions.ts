import pg from 'pg'
import { migrationOf } from '../src/schema.ts'
import { type Statements, statementsFor } from '../src/statements.ts'
import { DATABASE_URL, tablesOfInbox } from './inboxes.ts'

/** What a session does next. Each is what one process sends before it waits for a response. */
type Step = (session: Session) => Promise<unknown>

interface Session {
  readonly client: pg.Client
  readonly pid: number
  readonly steps: readonly Step[]
  next: number
  /** What it waits for: PostgreSQL, because of another session. */
  blocked: Promise<unknown> | undefined
  claimed: { readonly id: string; readonly token: string } | undefined
  held: { readonly since: string; readonly lane: string | null } | undefined
}

/** Three sessions of PostgreSQL on one key of an inbox, which make their steps in an order that a test chooses. */
export class Sessions {
  readonly #table: string
  readonly #statements: Statements
  readonly #watcher = connect()
  readonly #sessions: Session[] = []
  #runs = 0
  #stored = 0
  #tokens = 0

  constructor(table: string) {
    this.#table = table
    this.#statements = statementsFor(table, 1)
  }

  async open(): Promise<void> {
    await this.#watcher.connect()
    await this.#watcher.query(migrationOf({ table: this.#table }))
    // A worker that handles two in a row, one whose claim may be of another row of the key, and a receiver whose commit takes its time.
    const one = [this.#claim, this.#hold, this.#seal, this.#end]
    const series = [...one, this.#next, this.#follow, this.#seal, this.#end, this.#commit]
    const receiver = [this.#begin, this.#add, this.#commit]
    for (const steps of [series, [...one, this.#commit, this.#retry], receiver]) {
      const client = connect()
      await client.connect()
      const { rows } = await client.query('SELECT pg_backend_pid() AS pid')
      const { pid } = rows[0]
      const nothing = { blocked: undefined, claimed: undefined, held: undefined }
      this.#sessions.push({ client, pid, steps, next: 0, ...nothing })
    }
  }

  async close(): Promise<void> {
    await Promise.all(this.#sessions.map(({ client }) => client.end()))
    await this.#watcher.query(`DROP TABLE IF EXISTS ${tablesOfInbox(this.#table)}`)
    await this.#watcher.end()
  }

  /** Lets the sessions make one step each time they are named, ends what they began, and returns what is wrong then. */
  async run(order: readonly number[]): Promise<string | undefined> {
    const names = tablesOfInbox(this.#table)
    // TRUNCATE takes longer than the rest of a run, and what was deleted is read until it is vacuumed.
    for (const name of names.split(', ')) await this.#watcher.query(`DELETE FROM ${name}`)
    if (this.#runs++ % 100 === 99) await this.#watcher.query(`VACUUM ${names}`)
    this.#stored = 0
    await this.#addBy(this.#watcher)
    for (const session of this.#sessions) session.next = 0
    for (const at of order) await this.#step(this.#sessions[at])
    // In each round at least one of those that wait can go on.
    for (let round = 0; this.#sessions.some(isBusy); round++) {
      if (round === 50) return 'The sessions wait for one another.'
      for (const session of this.#sessions.filter(isBusy)) await this.#step(session)
    }
    return (await this.#withoutHead()) ?? this.#drain()
  }

  /** Resolves when the step is made, or when PostgreSQL lets it wait for another session. */
  async #step(session: Session | undefined): Promise<void> {
    if (!session) return
    if (session.blocked) return this.#settled(session)
    const step = session.steps[session.next % session.steps.length]
    session.next++
    session.blocked = step?.call(this, session)
    await this.#settled(session)
  }

  async #settled(session: Session): Promise<void> {
    const made = session.blocked?.then(() => 'made')
    while ((await Promise.race([made, this.#isWaiting(session)])) === false) {}
    if ((await Promise.race([made, undefined])) === 'made') session.blocked = undefined
  }

  async #isWaiting({ pid }: Session): Promise<boolean> {
    const { rows } = await this.#watcher.query({
      ...{ name: 'waiting', values: [pid] },
      text: 'SELECT cardinality(pg_blocking_pids($1)) > 0 AS waits',
    })
    return rows[0]?.waits === true
  }

  #claim: Step = async (session) => {
    const token = `token ${this.#tokens++}`
    const { rows } = await session.client.query({
      ...this.#statements.claim,
      values: [1, 60, token, 60, 0, 'stripe', 1],
    })
    const found = rows.find(({ claim }) => claim === 'runs')
    session.claimed = found && { id: found.id, token }
  }

  #hold: Step = async (session) => {
    await session.client.query('BEGIN ISOLATION LEVEL READ COMMITTED')
    const { id, token } = session.claimed ?? NOTHING
    const values = [id, token, '60000', 'done']
    session.held = (await session.client.query({ ...this.#statements.hold, values })).rows[0]
  }

  #seal: Step = async ({ client, claimed, held }) => {
    if (!(claimed && held)) return
    await client.query({ ...this.#statements.seal, values: [claimed.id, claimed.token] })
  }

  #end: Step = async ({ client, claimed, held }) => {
    if (!(claimed && held)) return
    // Every third is dead, so that there is something to retry.
    const state = Number(claimed.id) % 3 === 0 ? 'dead' : 'done'
    const values = [claimed.id, claimed.token, state, '', 0, held.since]
    await client.query({ ...this.#statements.end, values })
  }

  #next: Step = async (session) => {
    const { held } = session
    if (!held) return
    const token = `token ${this.#tokens++}`
    const values = [held.since, 60, token, 0, 'stripe', 1]
    const { rows } = await session.client.query({ ...this.#statements.next, values })
    session.claimed = { id: rows[0]?.id ?? NOTHING.id, token }
  }

  #follow: Step = async (session) => {
    if (!session.held) return
    const { token, id } = session.claimed ?? NOTHING
    const sent = { ...this.#statements.follow, values: [token, '60000'] }
    const { client } = session
    const [, { rows }] = await Promise.all([client.query('COMMIT AND CHAIN'), client.query(sent)])
    session.held = rows[0]
    if (id === NOTHING.id) session.claimed = undefined
    if (session.held && rows[0].id !== id) throw new Error(`Holds ${rows[0].id} instead of ${id}.`)
  }

  /** What was claimed and could not be held is given back, as by a worker. */
  #commit: Step = async (session) => {
    await session.client.query('COMMIT')
    const { claimed, held } = session
    session.claimed = undefined
    session.held = undefined
    if (!claimed || held) return
    const values = [claimed.id, claimed.token, 0, '', 1, 0]
    await session.client.query({ ...this.#statements.again, values })
  }

  #begin: Step = async ({ client }) => {
    await client.query('BEGIN ISOLATION LEVEL READ COMMITTED')
  }

  #add: Step = ({ client }) => this.#addBy(client)

  async #addBy(client: pg.Client): Promise<void> {
    // Every second statement stores two.
    const added = Array.from({ length: this.#stored % 3 === 1 ? 2 : 1 }, () => ({
      key: `stripe:${this.#stored++}`,
      ...{ lane: 'one key', service: 'stripe', delivery: '{}' },
    }))
    await client.query({ ...this.#statements.add, values: [JSON.stringify(added)] })
  }

  #retry: Step = async ({ client }) => {
    const values = ['', '["dead","done"]', '', 0, '', 10]
    await client.query({ ...this.#statements.retry, values })
  }

  async #withoutHead(): Promise<string | undefined> {
    const { rows } = await this.#watcher.query(
      `SELECT count(*)::integer AS open, count(due)::integer AS awake FROM ${this.#table}_open`,
    )
    const { open, awake } = rows[0]
    return open > 0 && awake === 0 ? `${open} are open, and none of them is awake.` : undefined
  }

  /** Works off what is open, with one session. */
  async #drain(): Promise<string | undefined> {
    const [session] = this.#sessions
    if (!session) return 'There is no session.'
    const handled: number[] = []
    for (;;) {
      const { rows } = await this.#watcher.query(`SELECT 1 FROM ${this.#table}_open LIMIT 1`)
      if (rows.length === 0) break
      // Each look is at one, and sends it to sleep if it is behind another.
      for (let look = 0; look < this.#stored && !session.claimed; look++) await this.#claim(session)
      if (!session.claimed) return 'What is open cannot be claimed.'
      handled.push(Number(session.claimed.id))
      for (const step of [this.#hold, this.#seal, this.#end, this.#commit]) await step(session)
    }
    const sorted = handled.toSorted((one, other) => one - other)
    if (`${handled}` !== `${sorted}`) return `Handled in the order ${handled}.`
    const { rows } = await this.#watcher.query(
      `SELECT count(*)::integer AS ended FROM ${this.#table}_ended`,
    )
    return rows[0].ended === this.#stored ? undefined : `${rows[0].ended} of ${this.#stored} ended.`
  }
}

const NOTHING = { id: '0', token: '' }

function connect(): pg.Client {
  // Which locks there are does not depend on when a commit is on the disk.
  return new pg.Client({ connectionString: DATABASE_URL, options: '-c synchronous_commit=off' })
}

/** Whether a session has begun what it has to end. */
function isBusy({ next, steps, blocked }: Session): boolean {
  return blocked !== undefined || next % steps.length !== 0
}
