import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { changedBlock } from '@webhook-receiver/checks/documents/code-blocks.mjs'
import {
  createDatabase,
  postgresProblem,
  queryPostgres,
} from '@webhook-receiver/checks/postgres.mjs'
import { migrate } from '@webhook-receiver/postgres'
import { expect, onTestFinished, test, vi } from 'vitest'

/** What a service sent in five hours, the latest first, one a minute. */
const COUNT = 300
const NOW = Math.floor(Date.now() / 1000)
const timeOf = (at: number) => NOW - at * 60

/** The deliveries that the command handles, or asks for once more. */
type Taken = (id: string) => void
type Api = (url: URL, method: string) => Response

/** Stand-ins for the APIs, as their documentation describes them. */
const APIS: Readonly<Record<string, (taken: Taken) => Api>> = {
  // https://docs.stripe.com/api/events/list
  stripe: () => {
    const events = Array.from({ length: COUNT }, (_, at) => {
      const [id, created] = [`evt_${at}`, timeOf(at)]
      return { id, object: 'event', type: 'invoice.paid', created, data: { object: {} } }
    })
    return ({ searchParams: asked }) => {
      const [from, until] = ['gte', 'lt'].map((end) => Number(asked.get(`created[${end}]`)))
      const found = events.filter(
        ({ created }) => created >= Number(from) && created < Number(until),
      )
      const start = found.findIndex(({ id }) => id === asked.get('starting_after')) + 1
      const data = found.slice(start, start + Number(asked.get('limit')))
      const more = { url: '/v1/events', has_more: start + data.length < found.length }
      return Response.json({ object: 'list', data, ...more })
    }
  },

  // https://docs.github.com/en/rest/repos/webhooks: ids of 64 bits, which JSON.stringify cannot write.
  github: (taken) => {
    const attempts = Array.from({ length: COUNT }, (_, at) => ({
      ...{ id: `38040046231723${10_000 + at}`, guid: `guid-${at}` },
      ...{ status: at % 3 === 0 ? 'OK' : 'failed to connect to host', at: timeOf(at) },
    }))
    return (url, method) => {
      if (method === 'POST') {
        const one = attempts.find(({ id }) => url.pathname.endsWith(`/${id}/attempts`))
        if (!one) return new Response(null, { status: 404 })
        taken(one.guid)
        attempts.unshift({ ...one, id: `9${one.id}`, status: 'OK', at: NOW })
        return Response.json({}, { status: 202 })
      }
      const start = Number(url.searchParams.get('cursor') ?? 0)
      const items = attempts.slice(start, start + 100).map(({ id, guid, status, at }) => {
        const delivered_at = new Date(at * 1000).toISOString()
        return JSON.stringify({ id: '#', guid, status, delivered_at }).replace('"#"', id)
      })
      const next = new URL(url)
      next.searchParams.set('cursor', `${start + 100}`)
      const link = start + 100 < attempts.length ? `<${next}>; rel="next"` : ''
      return new Response(`[${items}]`, { headers: { link } })
    }
  },

  // https://api.svix.com/docs: "List Attempted Messages" and "Recover Failed Webhooks"
  svix: (taken) => {
    const [OK, FAILED, SENDING] = ['0', '2', '3']
    const messages = Array.from({ length: COUNT }, (_, at) => ({ at, status: FAILED }))
    return ({ pathname, searchParams: asked }, method) => {
      if (method === 'POST') {
        for (const message of messages) {
          taken(`msg_${message.at}`)
          message.status = SENDING
        }
        return Response.json({}, { status: pathname.endsWith('/recover') ? 202 : 404 })
      }
      const data = messages.filter(({ status }) => status === asked.get('status'))
      // What is on its way has arrived the next time.
      if (asked.get('status') === SENDING) for (const message of data) message.status = OK
      return Response.json({ data: data.slice(0, 1) })
    }
  },
}

const PAGE = join(import.meta.dirname, '../../../docs/guides/fetch-what-you-missed.md')
const CHANGES = {
  stripe: [["?? '')", "?? '', { httpClient: Stripe.createFetchHttpClient() })"]] as const,
}

test
  .skipIf((await postgresProblem()) !== undefined && process.env.CI !== 'true')
  .each(Object.entries(APIS))(
  'the command for %s fetches what was missed once, also after a run that failed, and nothing where nobody knows what that is',
  async (name, standIn) => {
    const database = await createDatabase((task) => onTestFinished(async () => void (await task())))
    const query = <Row>(text: string, values?: readonly unknown[]) =>
      queryPostgres<Row>(text, values, database)
    await migrate(query)
    await query('CREATE TABLE paid (id text)')
    await query('CREATE TABLE cursors (name text PRIMARY KEY, at int8)')
    const since = timeOf(COUNT)
    await query('INSERT INTO cursors VALUES ($1, $2)', [name, since])
    vi.stubEnv('DATABASE_URL', database)
    vi.stubEnv('STRIPE_API_KEY', 'sk_test')
    vi.stubEnv('GITHUB_HOOK', 'https://api.github.com/repos/acme/shop/hooks/12345678')
    vi.stubEnv('SVIX_ENDPOINT', 'https://api.us.svix.com/api/v1/app/app_1/endpoint/ep_1')

    // Inside the checkout, whose packages the blocks import.
    const folder = await mkdtemp(join(import.meta.dirname, '../.missed-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    const page = await readFile(PAGE, 'utf8')
    const blocks = { webhooks: [], cursor: [], [name]: Reflect.get(CHANGES, name) ?? [] }
    for (const [block, changes] of Object.entries(blocks))
      await writeFile(join(folder, `${block}.ts`), changedBlock(page, `${block}.ts`, changes))
    const asked: string[] = []
    const api = standIn((id) => asked.push(id))
    const run = async (reply: Api = api) => {
      vi.stubGlobal('fetch', async (url: string, init?: RequestInit) =>
        reply(new URL(url), init?.method ?? 'GET'),
      )
      vi.resetModules()
      const load = (block: string) => import(pathToFileURL(join(folder, `${block}.ts`)).href)
      await load(name).finally(async () => {
        const { pool } = await load('webhooks')
        if (!pool.ending) await pool.end()
      })
    }
    const cursor = async () =>
      Number((await query<{ at: string }>('SELECT at FROM cursors'))[0]?.at)

    let requests = 0
    const failing: Api = (...request) =>
      requests++ < (name === 'github' ? 50 : 1)
        ? api(...request)
        : new Response('{}', { status: 400 })
    await expect(run(failing)).rejects.toThrow()
    expect(await cursor()).toBe(since)
    for (let runs = 0; runs < 5 && (await cursor()) === since; runs++) await run()
    expect(await cursor()).toBeGreaterThan(since)

    // Again, as where a service sends some of it by itself.
    await query('UPDATE cursors SET at = $1', [since])
    await run()
    const paid = await query<{ id: string }>('SELECT id FROM paid')
    const ids = [...asked, ...paid.map(({ id }) => id)]
    expect(ids.length).toBeGreaterThan(COUNT / 2)
    expect(new Set(ids).size).toBe(ids.length)

    await query('UPDATE cursors SET at = $1', [NOW - 91 * 86_400])
    const unasked: Api = () => expect.unreachable()
    await expect(run(unasked)).rejects.toThrow(`${name}: nobody can say any more what is missing`)
  },
)
