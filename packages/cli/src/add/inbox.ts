import { type Code, indented, list } from './code.ts'
import type { Shared } from './framework.ts'
import type { Parts } from './parts.ts'
import { handlers } from './receiver.ts'
import type { Service } from './service.ts'
import { LOCAL_POSTGRES } from './variables.ts'

type Handled = Pick<Parts, 'service' | 'dialect'>

/** The file of the inbox, which all routes share. */
export function inboxOf(parts: Handled): Shared {
  const { imports, body } = entryOf(parts)
  return {
    packages: { run: ['@webhook-receiver/inbox', 'pg'], develop: ['@types/pg'] },
    variables: [
      {
        name: 'DATABASE_URL',
        comment: 'The PostgreSQL of the inbox',
        value: LOCAL_POSTGRES,
      },
    ],
    code: {
      imports: [
        { from: '@webhook-receiver/inbox', names: ['postgresInbox'] },
        { from: 'pg', default: 'pg' },
        ...imports,
      ],
      body: `const pool = new pg.Pool({
  connectionString: process.env.DATABASE_URL ?? '${LOCAL_POSTGRES}',
  connectionTimeoutMillis: 5000,
})

export const inbox = postgresInbox({
  pool,
  services: {
${indented(body, '    ')}
  },
})

// Until the tables are there, deliveries get 503, and the service retries.
inbox.setup().catch((error) => console.error('postgres:', error.message))`,
    },
  }
}

/** What belongs into the file of an inbox that is there already, for one more service. */
export function entryOf(parts: Handled): Code {
  const { service } = parts
  const { scheme } = service
  const options = [...(scheme ? [`scheme: ${scheme.call}`] : []), `handlers: ${handlers(parts)}`]
  return {
    imports: scheme ? [{ from: scheme.from, names: [scheme.exported] }] : [],
    body: `${list([`${keyOf(service)}: { `, ' }'], options)},`,
  }
}

/** The program that handles what the routes have stored. */
export const WORKER: Code = {
  imports: [{ from: './inbox', names: ['inbox'] }],
  body: `async function work() {
  await inbox.setup()
  const worker = await inbox.work({ concurrency: 4 })
  // Handlers that run may end first.
  process.once('SIGTERM', () => worker.stop().then(() => process.exit()))
  console.log('Waiting for deliveries')
}

work()`,
}

function keyOf({ name }: Service): string {
  return /^\w+$/.test(name) ? name : `'${name}'`
}
