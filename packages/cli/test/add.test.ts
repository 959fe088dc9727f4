import { chmod, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, it, test } from 'vitest'
import { FRAMEWORKS } from '../src/add/index.ts'
import { folder } from './folder.ts'
import { invoke, type Result } from './invoke.ts'

const EXPRESS = { dependencies: { express: '5' } }
const IN_TYPESCRIPT = { 'tsconfig.json': '{}' }

/** A folder of an application, from the text or the JSON of its files. */
async function project(files: Readonly<Record<string, string | object>>): Promise<string> {
  const path = await folder()
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(path, name)), { recursive: true })
    await writeFile(
      join(path, name),
      typeof content === 'string' ? content : JSON.stringify(content),
    )
  }
  return path
}

function add(path: string, ...args: readonly string[]): Promise<Result> {
  return invoke(['add', ...args, '--folder', path, '--no-install'], { env: {} })
}

/** What `add --json` says of a project. */
async function added(path: string, ...args: readonly string[]) {
  const { json, err, code } = await add(path, ...args, '--json')
  expect([err, code]).toEqual(['', 0])
  return json[0] as unknown as {
    readonly framework: string
    readonly files: readonly { readonly path: string; readonly state: string }[]
    readonly lines: { readonly text: string } | null
    readonly installs: readonly string[]
    readonly next: Readonly<Record<string, string>>
  }
}

const read = (path: string, name: string) => readFile(join(path, name), 'utf8')

/** What is in a folder, what is then written, and how the lines for an existing file begin. */
const PROJECTS: readonly (readonly [string, Record<string, string | object>, string, string])[] = [
  [
    'express',
    { 'package.json': EXPRESS },
    'webhooks/stripe.js',
    'const { receiveStripe } = require',
  ],
  [
    'express',
    { 'package.json': { ...EXPRESS, type: 'module' } },
    'webhooks/stripe.js',
    "import { receiveStripe } from './webhooks/stripe.js'",
  ],
  [
    'express',
    { 'package.json': EXPRESS, 'tsconfig.json': '{ "module": "CommonJS" }', 'src/app.ts': '' },
    'src/webhooks/stripe.ts',
    "import { receiveStripe } from './webhooks/stripe'",
  ],
  [
    'fastify',
    { 'package.json': { type: 'module', dependencies: { fastify: '5' } }, ...IN_TYPESCRIPT },
    'webhooks/stripe.ts',
    "import { receiveStripe } from './webhooks/stripe.js'",
  ],
  [
    'hono',
    { 'package.json': { dependencies: { hono: '4' } }, 'wrangler.jsonc': '{}', ...IN_TYPESCRIPT },
    'webhooks/stripe.ts',
    "import { receiveStripe } from './webhooks/stripe",
  ],
  [
    'koa',
    { 'package.json': { dependencies: { koa: '3', typescript: '5' } } },
    'webhooks/stripe.ts',
    "import { receiveStripe } from './webhooks/stripe'",
  ],
  [
    'nestjs',
    { 'package.json': { dependencies: { '@nestjs/core': '12', express: '5' } }, 'src/main.ts': '' },
    'src/webhooks/stripe.module.ts',
    "import { StripeModule } from './webhooks/stripe.module'",
  ],
  [
    'next',
    { 'package.json': { dependencies: { next: '16' } }, 'src/app/page.tsx': '', ...IN_TYPESCRIPT },
    'src/app/webhooks/stripe/route.ts',
    '',
  ],
  [
    'next',
    { 'package.json': { dependencies: { next: '16' } }, 'pages/index.js': '' },
    'pages/api/webhooks/stripe.js',
    '',
  ],
  [
    'sveltekit',
    { 'package.json': { devDependencies: { '@sveltejs/kit': '2' } }, 'src/app.html': '' },
    'src/routes/webhooks/stripe/+server.js',
    '',
  ],
  [
    'nuxt',
    { 'package.json': { dependencies: { nuxt: '4' } }, ...IN_TYPESCRIPT },
    'server/routes/webhooks/stripe.ts',
    '',
  ],
  [
    'elysia',
    { 'package.json': { dependencies: { elysia: '1' } }, 'bun.lock': '', ...IN_TYPESCRIPT },
    'webhooks/stripe.ts',
    'import { receiveStripe }',
  ],
  [
    'workers',
    {
      'package.json': { devDependencies: { wrangler: '4' } },
      'src/index.ts': '',
      ...IN_TYPESCRIPT,
    },
    'src/webhooks/stripe.ts',
    "import { receiveStripe } from './webhooks/stripe'",
  ],
  [
    'aws-lambda',
    { 'package.json': { devDependencies: { '@types/aws-lambda': '8' }, type: 'module' } },
    'webhooks/stripe.js',
    'Handler: webhooks/stripe.handler',
  ],
]

it.each(PROJECTS)('finds %s in %j and writes %s', async (framework, files, file, lines) => {
  const path = await project(files)
  const result = await added(path, 'stripe')
  expect(result.framework).toBe(framework)
  expect(result.files[0]).toMatchObject({ path: file, state: 'new' })
  if (lines === '') expect(result.lines).toBeNull()
  else expect(result.lines?.text.startsWith(lines), result.lines?.text).toBe(true)
  // Nothing that was there has changed.
  for (const [name, content] of Object.entries(files))
    expect(await read(path, name)).toBe(
      typeof content === 'string' ? content : JSON.stringify(content),
    )
})

test('a second run changes nothing, and keeps what somebody has changed', async () => {
  const path = await project({ 'package.json': EXPRESS, '.env.example': 'PORT=3000' })
  await added(path, 'stripe')
  const example = await read(path, '.env.example')
  expect(example).toMatch(
    /^PORT=3000\n# Stripe: In the Stripe Dashboard.* sk_… \(an API key\).*\nSTRIPE_WEBHOOK_SECRET=\n$/,
  )
  await writeFile(join(path, 'webhooks/stripe.test.js'), '// mine')
  const { files } = await added(path, 'stripe')
  expect(files.map(({ state }) => state)).toEqual(['unchanged', 'kept', 'unchanged'])
  expect(await read(path, 'webhooks/stripe.test.js')).toBe('// mine')
  expect(await read(path, '.env.example')).toBe(example)
  await added(path, 'github')
  expect(await read(path, '.env.example')).toMatch(
    /STRIPE_WEBHOOK_SECRET=\n# GitHub: .*\nGITHUB_WEBHOOK_SECRET=\n$/,
  )
})

test('writes through no link that leads out of the folder', async () => {
  const outside = await project({ rc: 'theirs' })
  const path = await project({ 'package.json': EXPRESS, 'webhooks/.keep': '' })
  await symlink(join(outside, 'planted.js'), join(path, 'webhooks/stripe.js'))
  await symlink(join(outside, 'rc'), join(path, '.env.example'))
  const { files } = await added(path, 'stripe')
  expect(files.map(({ state }) => state)).toEqual(['kept', 'new', 'kept'])
  expect([await readdir(outside), await read(outside, 'rc')]).toEqual([['rc'], 'theirs'])
  // A link within it is another name of a file of the application.
  const linked = await project({ 'package.json': EXPRESS, 'env/example': 'A=1\n' })
  await symlink('env/example', join(linked, '.env.example'))
  await added(linked, 'stripe')
  expect(await read(linked, 'env/example')).toMatch(/^A=1\n.*STRIPE_WEBHOOK_SECRET=/s)
})

test('an empty folder becomes a project with a secret that nobody else knows', async () => {
  const [one, other] = [await folder(), await folder()]
  const { next, installs } = await added(one, 'stripe')
  expect((await readdir(one)).sort()).toEqual([
    ...['.env', '.env.example', '.gitignore', 'package.json', 'server.ts', 'tsconfig.json'],
    'webhooks',
  ])
  expect(installs.join('\n')).toMatch(
    /^npm install express @webhook-receiver\/express@\S+ @webhook-receiver\/schemes@\S+\nnpm install --save-dev tsx /,
  )
  expect(next).toEqual({
    start: 'npm start',
    test: 'npx tsx --test webhooks/stripe.test.ts',
    send: 'npx webhook-receiver send invoice.paid http://localhost:3000/webhooks/stripe --scheme stripe',
  })
  await added(other, 'stripe')
  const secret = /^STRIPE_WEBHOOK_SECRET=(whsec_\w{48})$/m
  expect(secret.exec(await read(one, '.env'))?.[1]).not.toBe(
    secret.exec(await read(other, '.env'))?.[1],
  )
})

test.each(Object.keys(FRAMEWORKS))(
  'finds a %s project that nobody has installed yet',
  async (name) => {
    const path = await folder()
    const first = await added(path, 'stripe', '--framework', name)
    const again = await added(path, 'stripe')
    expect(again).toMatchObject({ framework: name, installs: first.installs, next: first.next })
    const states = again.files.map(({ state }) => state)
    expect(states.pop(), 'the environment').toBe('kept')
    expect(new Set(states)).toEqual(new Set(['unchanged']))
    const other = await added(path, 'slack')
    expect(other.framework).toBe(name)
    expect(other.files.filter(({ state }) => state === 'new')).toHaveLength(2)
  },
)

test('a second service of a new project is shown what belongs into its server and environment', async () => {
  const path = await folder()
  await add(path, 'stripe')
  expect((await add(path, 'stripe')).out).not.toContain('Add to')
  const { out } = await add(path, 'slack')
  expect(out).toMatch(/kept {7}server\.ts\n.*\n {2}kept {7}\.env\n/)
  expect(out).toMatch(/Add to server\.ts, if it is not there:\n\n {2}import \{ receiveSlack \}/)
  expect(out).toMatch(/Add to \.env:\n\n.*\n {2}SLACK_SIGNING_SECRET=\w{48}\n/)
})

test('on plain Node, what a second service adds fits into the server of the first', async () => {
  const path = await folder()
  await add(path, 'stripe', '--framework', 'node')
  const end = '  return response.writeHead(404).end()\n'
  const [server] = (await read(path, 'server.ts')).split(end)
  const { lines } = await added(path, 'slack')
  const [, route = ''] = lines?.text.split('404.\n') ?? []
  const first = route.replaceAll('slack', 'stripe').replaceAll('Slack', 'Stripe')
  expect(first).toContain('receiveStripe(request, response)')
  expect(server).toContain(`(request, response) => {\n${first.replaceAll(/^/gm, '  ')}\n`)
})

test.each([
  ['.env*\n', true],
  ['.env*\n!.env.example\n', false],
  ['node_modules\n.env\n', false],
  ['/*.example', true],
])('says whether .gitignore hides .env.example: %j', async (ignored, isHidden) => {
  const path = await project({ 'package.json': EXPRESS, '.gitignore': ignored })
  const { out } = await add(path, 'stripe')
  expect(/hides \.env\.example from your team:\n\n {2}!\.env\.example\n/.test(out)).toBe(isHidden)
})

test("somebody's own project with any version is not taken for a new one", async () => {
  const manifest = { name: 'shop', dependencies: { express: '*' } }
  const path = await project({ 'package.json': manifest })
  const { installs } = await added(path, 'stripe')
  expect(installs.join()).not.toContain('express ')
  expect((await readdir(path)).sort()).toEqual(['.env.example', 'package.json', 'webhooks'])
})

test('a service that shares no secret gets a pair of keys, in its test and for send', async () => {
  const path = await project({
    'package.json': { dependencies: { next: '16' } },
    'app/page.js': '',
  })
  const { next } = await added(path, 'telnyx')
  expect(await read(path, 'app/webhooks/telnyx/route.test.js')).toContain('keyPairFor(telnyx)')
  expect(next).toMatchObject({
    keys: 'npx webhook-receiver keys telnyx',
    send: expect.stringMatching(/ --scheme telnyx --secret-file telnyx\.key$/),
  })
})

test.each([
  ['livekit', 'LIVEKIT_API_SECRET', 'scheme: livekit, store }'],
  ['qstash', 'QSTASH_CURRENT_SIGNING_KEY', "duplicates: 'id'"],
])('%s, which signs by JWT, comes from its own package', async (name, variable, options) => {
  const path = await project({ 'package.json': EXPRESS })
  const { installs } = await added(path, name, '--store', 'redis')
  expect(installs[0]).toMatch(/@webhook-receiver\/jwt@\S+ jose/)
  const route = await read(path, `webhooks/${name}.js`)
  for (const part of [`{ ${name} } = require('@webhook-receiver/jwt')`, variable, options])
    expect(route).toContain(part)
  expect(await read(path, `webhooks/${name}.test.js`)).not.toContain('@webhook-receiver/schemes')
})

test.each(['google-pubsub', 'google-cloud-tasks', 'app-store', 'plaid', 'azure-event-grid'])(
  '%s leads to the code to copy',
  async (name) => {
    const { err, code } = await invoke(['add', name], { env: {} })
    expect(err.replaceAll(/\s+/g, ' ')).toContain(`guides/jwt#${name} has the code to copy`)
    expect(code).toBe(2)
  },
)

test('--inbox adds a worker, and what belongs into the inbox that another service has', async () => {
  const path = await project({ 'package.json': EXPRESS })
  const { next, files } = await added(path, 'stripe', '--inbox')
  expect(next.work).toBe('node --env-file=.env webhooks/worker.js')
  expect(files.map((each) => each.path)).toContain('webhooks/inbox.js')
  expect(await read(path, 'webhooks/inbox.js')).toContain("DATABASE_URL ?? 'postgres://")
  expect(await read(path, 'webhooks/stripe.js')).toContain("inbox.receive('stripe')")
  const { out } = await add(path, 'github', '--inbox')
  expect(out).toMatch(/Add to webhooks\/inbox\.js:.* github: \{/s)
  expect(await read(path, 'webhooks/github.js')).toContain("duplicates: 'body'")
})

it.each([
  ['express', 'req.delivery', 'res.status(200).end()', 'app.use(receiveSlack)'],
  ['hono', 'c.var.delivery', 'return c.body(null, 200)', "app.route('/', receiveSlack)"],
  ['fastify', 'request.delivery', 'return reply.code(200).send()', 'app.register(receiveSlack)'],
  ['koa', 'ctx.state.delivery', 'ctx.status = 200', 'app.use(receiveSlack.routes())'],
])('--form middleware on %s leaves the response to the application', async (name, ...parts) => {
  const path = await project({ 'package.json': { dependencies: { [name]: '*' } } })
  const { lines } = await added(path, 'slack', '--form', 'middleware')
  const [delivery, end, mount] = parts
  const route = await read(path, 'webhooks/slack.js')
  expect(route).toContain(`const { event, id, data } = ${delivery}\n`)
  expect(route).toContain(`${end}\n`)
  expect(route).not.toContain('webhookHandler')
  expect(lines?.text.endsWith(mount), lines?.text).toBe(true)
  expect(await read(path, 'webhooks/slack.test.js')).toContain(`${mount}\n`)
})

test('--form middleware replies what a service waits for, and checks its types on Fastify', async () => {
  const path = await folder()
  const { installs } = await added(
    path,
    'supabase',
    '--framework',
    'fastify',
    '--form',
    'middleware',
  )
  const route = await read(path, 'webhooks/supabase.ts')
  expect(route).toContain('return {}\n')
  expect(route).toContain('scope.post<{ Body: SchemeDelivery<typeof supabase> }>(')
  expect(installs[0]).toContain('@webhook-receiver/core@')
})

/** What is in a folder, the service, what goes into the environment, and what is run next. */
const SETTINGS: readonly (readonly [
  string,
  Record<string, string | object>,
  string,
  RegExp,
  RegExp,
])[] = [
  [
    'a framework that reads .env',
    { 'package.json': { dependencies: { next: '16' } } },
    'slack',
    /Add to \.env:\n\n {2}# made up, until you have the real one\n {2}SLACK_SIGNING_SECRET=\w{48}\n/,
    /localhost:3000\//,
  ],
  [
    'one that does not',
    { 'package.json': EXPRESS },
    'slack',
    /Add to \.env, and start your server with --env-file=\.env:\n\n.*\n {2}SLACK_SIGNING_SECRET=\w{48}\n/,
    /localhost:3000\//,
  ],
  [
    'a Worker',
    { 'package.json': { dependencies: { hono: '4' } }, 'wrangler.jsonc': '{}' },
    'anthropic',
    /Add to \.dev\.vars:\n\n.*\n {2}ANTHROPIC_WEBHOOK_SIGNING_KEY=whsec_\S{32}\n/,
    /localhost:8787\//,
  ],
  [
    'Vite',
    { 'package.json': { devDependencies: { '@sveltejs/kit': '2' } } },
    'slack',
    /Add to \.env, and start your server with node --env-file=\.env \S+\/vite\.js dev --port 3000:\n/,
    /localhost:3000\//,
  ],
  [
    'a Worker that says its port',
    {
      'package.json': { scripts: { start: 'wrangler dev --port 4000' } },
      'wrangler.jsonc': '{}',
    },
    'anthropic',
    /Add to \.dev\.vars:/,
    /localhost:4000\//,
  ],
  [
    'a value that is there',
    { 'package.json': EXPRESS, '.env': 'SLACK_SIGNING_SECRET=theirs' },
    'slack',
    /receiveSlack\)\n\nNext:/,
    /localhost:3000\//,
  ],
  [
    'a key',
    { 'package.json': EXPRESS },
    'telnyx',
    /receiveTelnyx\)\n\nNext:/,
    /\n {2}export TELNYX_PUBLIC_KEY="\$\(cat telnyx\.pub\)"\n/,
  ],
  [
    'a key on a Worker',
    { 'package.json': { dependencies: { hono: '4' } }, 'wrangler.jsonc': '{}' },
    'telnyx',
    /receiveTelnyx\)\n\nNext:/,
    /\n {2}echo "TELNYX_PUBLIC_KEY=\\"\$\(cat telnyx\.pub\)\\"" >> \.dev\.vars\n/,
  ],
]

it.each(SETTINGS)(
  'says how to try an existing project: %s',
  async (_, files, service, env, next) => {
    const { out } = await add(await project(files), service)
    expect(out).toMatch(env)
    expect(out).toMatch(next)
  },
)

it.each([
  [{ dependencies: { next: '16' }, scripts: { dev: 'next dev' } }, 'stripe', 'npm run dev'],
  [{ ...EXPRESS, scripts: { start: 'node --env-file=.env .' } }, 'stripe', 'npm start'],
  [{ dependencies: { '@nestjs/core': '12' }, scripts: { start: '' } }, 'telnyx', 'npm start'],
  // It would not have the secret.
  [{ ...EXPRESS, scripts: { start: 'node .' } }, 'stripe', undefined],
  [EXPRESS, 'telnyx', undefined],
])('says how %j starts, to receive from %s', async (manifest, service, start) => {
  const { next } = await added(await project({ 'package.json': manifest }), service)
  expect(next.start).toBe(start)
})

test('a route that is kept is not said to have the store', async () => {
  const path = await project({ 'package.json': EXPRESS })
  await add(path, 'stripe')
  const { out } = await add(path, 'stripe', '--store', 'redis')
  expect(out).toMatch(
    /Add the store to webhooks\/stripe\.js, if it is not there\..*\n.*\n.*require\('\.\/store\.js'\)/s,
  )
  expect((await add(path, 'slack', '--store', 'redis')).out).not.toContain('Add the store')
})

it.each([
  ['new FastifyAdapter()', true],
  ['', false],
])(
  'tests a NestJS application of both platforms on that of main.ts: %j',
  async (adapter, isFastify) => {
    const dependencies = {
      '@nestjs/core': '12',
      '@nestjs/platform-express': '12',
      '@nestjs/platform-fastify': '12',
    }
    const path = await project({ 'package.json': { dependencies }, 'src/main.ts': adapter })
    await add(path, 'stripe')
    const code = await read(path, 'src/webhooks/stripe.module.test.ts')
    expect(code.includes('FastifyAdapter')).toBe(isFastify)
  },
)

test('--dry-run shows the files, and writes none', async () => {
  const path = await folder()
  const { out, code } = await add(path, 'slack', '--dry-run', '--framework', 'Hono')
  expect(out).toContain("from '@webhook-receiver/hono'")
  expect(out).toContain('would be new  webhooks/slack.ts')
  expect(code).toBe(0)
  expect(await readdir(path)).toEqual([])
})

it.each([
  ['npm', {}, 'npm install @webhook-receiver/express'],
  ['pnpm', { 'pnpm-lock.yaml': '' }, 'pnpm add @webhook-receiver/express'],
  ['yarn', { 'yarn.lock': '' }, 'yarn add @webhook-receiver/express'],
  ['bun', { 'bun.lock': '' }, 'bun add @webhook-receiver/express'],
])('installs with %s', async (_, files, command) => {
  const path = await project({ 'package.json': EXPRESS, ...files })
  const [first = ''] = (await added(path, 'stripe')).installs
  expect(first.startsWith(command), first).toBe(true)
})

test('package.json decides before a lock file, and names what is there already', async () => {
  const manifest = {
    packageManager: 'pnpm@10.34.8',
    dependencies: { express: '5', '@webhook-receiver/express': '0.1.0' },
  }
  const path = await project({ 'package.json': manifest, 'yarn.lock': '' })
  const { installs } = await added(path, 'stripe')
  expect(installs).toEqual([expect.stringMatching(/^pnpm add @webhook-receiver\/schemes@\S+$/)])
})

test('runs the installation, and says how to repeat one that failed', async () => {
  const path = await project({ 'package.json': EXPRESS })
  const npm = join(path, 'npm')
  await writeFile(npm, '#!/bin/sh\necho "$@" >>"$PWD/called"\nexit $(wc -l <called | tr -d " ")')
  await chmod(npm, 0o755)
  const env = { PATH: `${path}:${process.env.PATH}` }
  const { code, err, out } = await invoke(['add', 'stripe', '--folder', path], { env })
  expect(await read(path, 'called')).toMatch(/^install @webhook-receiver\/express@/)
  expect(err).toMatch(/^error: npm install .* ended with 1\./s)
  expect(out).toContain('new        webhooks/stripe.js')
  expect(code).toBe(1)
})

it.each([
  [['strpe'], {}, 'There is no scheme "strpe". Did you mean "stripe"?'],
  [
    ['stripe', '--framework', 'expres'],
    {},
    'There is no framework "expres". Did you mean "express"?',
  ],
  [['stripe', '--store', 'reddis'], {}, 'Allowed choices are redis'],
  [['supabase', '--store', 'redis'], {}, 'Leave out --store: Supabase waits for a decision'],
  [['supabase', '--inbox'], {}, 'Leave out --inbox: Supabase waits for a decision'],
  [['stripe', '--inbox', '--store', 'redis'], {}, 'Leave out --store'],
  [['stripe', '--form', 'middleware', '--inbox'], EXPRESS, 'Leave out --inbox or --form'],
  [['stripe', '--form', 'middleware', '--store', 'redis'], EXPRESS, 'Leave out --store or --form'],
  [
    ['stripe', '--form', 'middleware'],
    { dependencies: { next: '16' } },
    'Leave out --form: Next.js has no middleware form',
  ],
  [
    ['stripe'],
    { dependencies: { express: '5', koa: '3' } },
    '--framework express or --framework koa',
  ],
  [['stripe'], { dependencies: { hapi: '1' } }, 'names no framework'],
  [['stripe'], 'no JSON', 'is not JSON'],
])('add %j in %j is an error', async (args, manifest, message) => {
  const path = await project({ 'package.json': manifest })
  const { code, err } = await add(path, ...args)
  expect(err.replaceAll(/\s+/g, ' ')).toContain(message)
  expect(code).toBe(2)
  expect(await readdir(path)).toEqual(['package.json'])
})

it.each(['--inbox', '--store redis', '--store postgres', '--store sqlite'])(
  'add %s is an error on Workers, which names the store that works there',
  async (kept) => {
    const path = await project({ 'package.json': { devDependencies: { wrangler: '4' } } })
    const { code, err } = await add(path, 'stripe', ...kept.split(' '))
    expect(err.replaceAll(/\s+/g, ' ')).toContain(`Take --store upstash instead of ${kept}`)
    expect(code).toBe(2)
  },
)
