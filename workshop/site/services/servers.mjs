// A complete server for a service, on each framework.

const FRAMEWORKS = {
  Express: {
    packages: 'express',
    framework: "import express from 'express'",
    app: 'const app = express()',
    note: '// Before express.json(), which keeps the parsed body only.\n',
    listen: 'app.listen(3000)',
  },
  Fastify: {
    packages: 'fastify',
    framework: "import Fastify from 'fastify'",
    app: 'const app = Fastify({ requestTimeout: 15_000 })',
    call: 'app.register',
    option: 'url',
    listen: 'app.listen({ port: 3000 })',
  },
  Hono: {
    packages: 'hono @hono/node-server',
    server: "import { serve } from '@hono/node-server'",
    framework: "import { Hono } from 'hono'",
    app: 'const app = new Hono()',
    listen: 'serve({ fetch: app.fetch, port: 3000 })',
  },
  Koa: {
    packages: 'koa',
    framework: "import Koa from 'koa'",
    app: 'const app = new Koa()',
    note: '// Before any body parser, which keeps the parsed body only.\n',
    call: 'app.use',
    option: 'path',
    listen: 'app.listen(3000)',
  },
}

/** Each with its heading, what is installed besides `@webhook-receiver/schemes`, its file and its code. */
export function serversOf(service) {
  const servers = Object.entries(FRAMEWORKS).map(([framework, each]) => ({
    framework,
    install: `${each.packages} @webhook-receiver/${framework.toLowerCase()}`,
    file: 'server.ts',
    code: serverOn(framework.toLowerCase(), each, service),
  }))
  const route = {
    framework: 'Next.js',
    install: '@webhook-receiver/core',
    file: `app${service.path}/route.ts`,
    code: routeOf(service),
  }
  return [...servers, route]
}

function serverOn(adapter, { server, framework, app, note = '', call, option, listen }, service) {
  const path = `'${service.path}'`
  const method = checksOf(service).length > 0 ? 'all' : 'post'
  const secret = service.value?.subscription
    ? '{ secretsOf: (id) => secrets.get(id) }'
    : `process.env.${service.file.variable}`
  const secrets = service.value?.subscription ? `\n\n${secretsOf(service)}` : ''
  const handler = [
    ...(call ? [] : [`${path},`]),
    'webhookHandler(',
    ...indented([
      `${secret},`,
      ...handlers(service),
      ...options(service, option ? [`${option}: ${path}`] : []),
    ]),
    '),',
  ]
  return `${[server, imports(service, adapter), framework].filter(Boolean).join('\n')}

${app}${secrets}

${note}${call ?? `app.${method}`}(
${indented(handler).join('\n')}
)

${listen}`
}

function routeOf(service) {
  const secrets = service.value?.subscription ? `${secretsOf(service)}\n\n` : ''
  const lines = [
    ...(secrets
      ? ['{ secretsOf: (id) => secrets.get(id) },']
      : [
          '// A function, because `next build` loads this file without it.',
          `() => process.env.${service.file.variable},`,
        ]),
    ...handlers(service),
    ...options(service, []),
  ]
  const checks = checksOf(service).map((method) => `\nexport const ${method} = POST`)
  const check = checks.length > 0 ? `\n${checks.join('')}` : ''
  return `${imports(service, 'core')}

${secrets}export const POST = webhookHandler(
${indented(lines).join('\n')}
)${check}`
}

/** The methods besides POST by which the service checks the endpoint. */
function checksOf({ value = {} }) {
  const { getCheck, headCheck, originCheck } = value
  return [getCheck && 'GET', headCheck && 'HEAD', originCheck && 'OPTIONS'].filter(Boolean)
}

/** The secrets of subscriptions, of which the page has one. */
function secretsOf({ file }) {
  return `// The secret of each subscription, by its id: a table of your database.
const secrets = new Map([['sub_01', process.env.${file.variable}]])`
}

function imports({ decision, module, exported }, adapter) {
  const names = decision ? 'reply, webhookHandler' : 'webhookHandler'
  return `import { ${names} } from '@webhook-receiver/${adapter}'\nimport { ${exported} } from '${module}'`
}

/** What a handler of the first sample does: it shows what there is. */
function handlers({ event, hasEvent, hasId, decision, file }) {
  const names = [hasEvent && 'event', hasId && 'id', 'data'].filter(Boolean).join(', ')
  const head = `async ({ ${names} }) =>`
  const work = `console.log(${names})`
  const body = decision ? ['{', ...indented([work, `return reply(${file.reply})`]), '}'] : [work]
  const key = /^[a-z_]\w*$/i.test(event) ? event : `'${event}'`
  const begun = hasEvent ? `${key}: ${head}` : head
  const one = `${begun} ${body[0]}`
  // Behind three indents, within the column of the site.
  const isWide = hasEvent && !decision && one.length > 67
  const lines = isWide ? [begun, `  ${work},`] : [one, ...body.slice(1)]
  if (!isWide) lines.push(`${lines.pop()},`)
  return hasEvent ? ['{', ...indented(lines), '},'] : lines
}

function options({ call, path, signsUrl, value, file }, more) {
  const token = `process.env.${file.variable.replace(/_.*/, '_VERIFY_TOKEN')}`
  const all = [
    ...more,
    `scheme: ${call}`,
    ...(signsUrl ? [`publicUrl: 'https://example.com${path}'`] : []),
    ...(value?.getCheck?.token ? [`verifyToken: ${token}`] : []),
  ]
  const one = `{ ${all.join(', ')} },`
  return one.length <= 70 ? [one] : ['{', ...indented(all.map((each) => `${each},`)), '},']
}

function indented(lines) {
  return lines.map((line) => `  ${line}`)
}
