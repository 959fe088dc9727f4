// A complete server for a service, on each framework.

const PORT = 3000

/** Each with its heading, what is installed besides `@webhook-receiver/schemes`, its file and its code. */
export function serversOf(service) {
  return Object.entries(FRAMEWORKS).map(([framework, { install, file, code }]) => ({
    framework,
    install,
    file: file?.(service) ?? 'server.ts',
    code: code(service),
  }))
}

const FRAMEWORKS = {
  Express: {
    install: 'express @webhook-receiver/express',
    code: (service) => `${imports(service, 'express', "import express from 'express'")}

const app = express()

// Before express.json(), which keeps the parsed body only.
app.${service.hasGetCheck ? 'all' : 'post'}(
  '${pathOf(service)}',
${handler(service, { indent: '  ', last: ',' })}
)

app.listen(${PORT})`,
  },
  Fastify: {
    install: 'fastify @webhook-receiver/fastify',
    code: (service) => `${imports(service, 'fastify', "import Fastify from 'fastify'")}

const app = Fastify({ requestTimeout: 15_000 })

app.register(
${handler(service, { indent: '  ', last: ',', more: [`url: '${pathOf(service)}'`] })}
)

app.listen({ port: ${PORT} })`,
  },
  Hono: {
    install: 'hono @hono/node-server @webhook-receiver/hono',
    code: (service) => `import { serve } from '@hono/node-server'
${imports(service, 'hono', "import { Hono } from 'hono'")}

const app = new Hono()

app.${service.hasGetCheck ? 'all' : 'post'}(
  '${pathOf(service)}',
${handler(service, { indent: '  ', last: ',' })}
)

serve({ fetch: app.fetch, port: ${PORT} })`,
  },
  Koa: {
    install: 'koa @webhook-receiver/koa',
    code: (service) => `${imports(service, 'koa', "import Koa from 'koa'")}

const app = new Koa()

// Before any body parser, which keeps the parsed body only.
app.use(
${handler(service, { indent: '  ', last: ',', more: [`path: '${pathOf(service)}'`] })}
)

app.listen(${PORT})`,
  },
  'Next.js': {
    install: '@webhook-receiver/core',
    file: (service) => `app${pathOf(service)}/route.ts`,
    code: (service) => `${imports(service, 'core')}

export const POST = ${handler(service, { secret: `() => process.env.${service.file.variable}`, comment: true })}${
      service.hasGetCheck ? '\n\nexport const GET = POST' : ''
    }`,
  },
}

export function pathOf({ name }) {
  return `/webhooks/${name}`
}

function imports({ isDecision, module, exported }, adapter, framework) {
  const names = isDecision ? 'reply, webhookHandler' : 'webhookHandler'
  return [
    `import { ${names} } from '@webhook-receiver/${adapter}'`,
    `import { ${exported} } from '${module}'`,
    ...(framework ? [framework] : []),
  ].join('\n')
}

/** The call of `webhookHandler`. */
function handler(
  service,
  { indent = '', last = '', more = [], secret = `process.env.${service.file.variable}`, comment },
) {
  const lines = [
    'webhookHandler(',
    ...(comment ? ['  // A function, because `next build` loads this file without it.'] : []),
    `  ${secret},`,
    ...handlers(service).map((line) => `  ${line}`),
    ...options(service, more).map((line) => `  ${line}`),
    `)${last}`,
  ]
  return lines.map((line) => indent + line).join('\n')
}

/** What a handler of the first sample does: it shows what there is. */
function handlers({ event, hasEvent, hasId, isDecision, file }) {
  const names = [hasEvent && 'event', hasId && 'id', 'data'].filter(Boolean).join(', ')
  const work = isDecision
    ? [`async ({ ${names} }) => {`, `  console.log(${names})`, `  return reply(${file.reply})`, '}']
    : [`async ({ ${names} }) => console.log(${names})`]
  if (!hasEvent) return [...work.slice(0, -1), `${work.at(-1)},`]
  const key = /^[a-z_]\w*$/i.test(event) ? event : `'${event}'`
  const [first, ...rest] = work
  const begun = `  ${key}: ${first}`
  if (rest.length > 0)
    return ['{', begun, ...rest.slice(0, -1).map((line) => `  ${line}`), '  },', '},']
  const one = `${begun},`
  // Behind three indents, within the column of the site.
  if (one.length <= 70) return ['{', one, '},']
  const [head, body] = first.split(/(?<==>) /)
  return ['{', `  ${key}: ${head}`, `    ${body},`, '},']
}

function options({ call, name, signsUrl, hasGetCheck, file }, more) {
  const all = [
    ...more,
    `scheme: ${call}`,
    ...(signsUrl ? [`publicUrl: 'https://example.com${pathOf({ name })}'`] : []),
    ...(hasGetCheck
      ? [`verifyToken: process.env.${file.variable.replace(/_.*/, '_VERIFY_TOKEN')}`]
      : []),
  ]
  const one = `{ ${all.join(', ')} },`
  return one.length <= 70 ? [one] : ['{', ...all.map((each) => `  ${each},`), '},']
}
