import { chmod, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Scheme } from '@webhook-receiver/core'
import * as schemes from '@webhook-receiver/schemes'
import { expect, it, test } from 'vitest'
import { FRAMEWORKS, newProject, planFor, serviceOf, tokenSchemes } from '../src/add/index.ts'
import { folder } from './folder.ts'
import { invoke } from './invoke.ts'

type Files = Readonly<Record<string, string | object>>

const depends = (name: string, more = {}) => ({
  'package.json': { dependencies: { [name]: '*' }, ...more },
})
const EXPRESS = depends('express')
const TYPED = { 'tsconfig.json': '{}' }

/** A folder of an application, from the text or the JSON of its files. */
async function project(files: Files): Promise<string> {
  const path = await folder()
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(path, name)), { recursive: true })
    await writeFile(join(path, name), textOf(content))
  }
  return path
}

function textOf(content: string | object): string {
  return typeof content === 'string' ? content : JSON.stringify(content)
}

/** What `add --json` says of a project. `transcripts/add.txt` has what it prints. */
async function added(path: string, ...args: readonly string[]) {
  const all = ['add', ...args, '--folder', path, '--no-install', '--json']
  const { json, err, code } = await invoke(all, { env: {} })
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
const PROJECTS: readonly (readonly [string, Files, string, string])[] = [
  ['express', EXPRESS, 'webhooks/stripe.js', 'const { receiveStripe } = require'],
  [
    'express',
    depends('express', { type: 'module' }),
    'webhooks/stripe.js',
    "import { receiveStripe } from './webhooks/stripe.js'",
  ],
  [
    'express',
    { ...EXPRESS, 'tsconfig.json': '{ "module": "CommonJS" }', 'src/app.ts': '' },
    'src/webhooks/stripe.ts',
    "import { receiveStripe } from './webhooks/stripe'",
  ],
  ['hono', { ...depends('hono'), 'wrangler.jsonc': '{}', ...TYPED }, 'webhooks/stripe.ts', 'imp'],
  [
    'koa',
    { 'package.json': { dependencies: { koa: '3', typescript: '5' } } },
    'webhooks/stripe.ts',
    'imp',
  ],
  [
    'nestjs',
    { 'package.json': { dependencies: { '@nestjs/core': '12', express: '5' } }, 'src/main.ts': '' },
    'src/webhooks/stripe.module.ts',
    "import { StripeModule } from './webhooks/stripe.module'",
  ],
  [
    'next',
    { ...depends('next'), 'src/app/page.tsx': '', ...TYPED },
    'src/app/webhooks/stripe/route.ts',
    '',
  ],
  ['next', { ...depends('next'), 'pages/index.js': '' }, 'pages/api/webhooks/stripe.js', ''],
  [
    'sveltekit',
    { 'package.json': { devDependencies: { '@sveltejs/kit': '2' } }, 'src/app.html': '' },
    'src/routes/webhooks/stripe/+server.js',
    '',
  ],
  ['elysia', { ...depends('elysia'), 'bun.lock': '', ...TYPED }, 'webhooks/stripe.ts', 'import'],
  [
    'aws-lambda',
    depends('@types/aws-lambda', { type: 'module' }),
    'webhooks/stripe.js',
    'Handler: webhooks/stripe.handler',
  ],
]

it.each(PROJECTS)('finds %s in %j and writes %s', async (framework, files, path, lines) => {
  const folder = await project(files)
  const result = await added(folder, 'stripe')
  expect(result).toMatchObject({ framework, files: [{ path, state: 'new' }, {}, {}] })
  expect(result.lines?.text.slice(0, lines.length) ?? '').toBe(lines)
  // Nothing that was there has changed.
  for (const [name, content] of Object.entries(files))
    expect(await read(folder, name)).toBe(textOf(content))
})

test('no line of a new project is wider than the column of the site', async () => {
  const values = Object.entries<unknown>(schemes).filter((each): each is [string, Scheme] =>
    Object.hasOwn(Object(each[1]), 'readHead'),
  )
  const services = [
    ...values.map(([exported, scheme]) => serviceOf(exported, scheme)),
    ...(await tokenSchemes()).map(({ exported, scheme, from }) =>
      serviceOf(exported, scheme, from),
    ),
  ]
  expect(services.length).toBeGreaterThan(60)
  const frameworks = Object.keys(FRAMEWORKS) as (keyof typeof FRAMEWORKS)[]
  const wide = services.flatMap((service) =>
    frameworks.flatMap((framework) => {
      const { files } = planFor(service, newProject(framework, 'vitest'))
      const code = Object.entries(files).filter(([name]) => name.endsWith('.ts'))
      const lines = code.flatMap(([, text]) => text.split('\n'))
      return lines.filter((line) => line.length > 76).map((line) => `${framework}: ${line}`)
    }),
  )
  expect(wide).toEqual([])
})

test('a second run changes nothing, and keeps what somebody has changed', async () => {
  const path = await project({ ...EXPRESS, '.env.example': 'PORT=3000' })
  await added(path, 'stripe')
  const example = await read(path, '.env.example')
  expect(example).toMatch(
    /^PORT=3000\n# Stripe: In the Stripe Dashboard[\s\S]* It begins with whsec_\.\nSTRIPE_WEBHOOK_SECRET=\n$/,
  )
  await writeFile(join(path, 'webhooks/stripe.test.js'), '// mine')
  const { files } = await added(path, 'stripe')
  expect(files.map(({ state }) => state)).toEqual(['unchanged', 'kept', 'unchanged'])
  expect(await read(path, 'webhooks/stripe.test.js')).toBe('// mine')
  expect(await read(path, '.env.example')).toBe(example)
  await added(path, 'github')
  expect(await read(path, '.env.example')).toMatch(
    /STRIPE_WEBHOOK_SECRET=\n(?:# .*\n)+GITHUB_WEBHOOK_SECRET=\n$/,
  )
  await added(path, 'shopify')
  const comments = await read(path, '.env.example')
  expect(comments.replaceAll('\n# ', ' ')).toContain(
    'It is not shpat_…, shpca_…, shptka_… (an access token).',
  )
  expect(Math.max(...comments.split('\n').map(({ length }) => length))).toBeLessThanOrEqual(80)
})

test('writes through no link that leads out of the folder', async () => {
  const outside = await project({ rc: 'theirs' })
  const path = await project({ ...EXPRESS, 'webhooks/.keep': '' })
  await symlink(join(outside, 'planted.js'), join(path, 'webhooks/stripe.js'))
  await symlink(join(outside, 'rc'), join(path, '.env.example'))
  const { files } = await added(path, 'stripe')
  expect(files.map(({ state }) => state)).toEqual(['kept', 'new', 'kept'])
  expect([await readdir(outside), await read(outside, 'rc')]).toEqual([['rc'], 'theirs'])
  // A link within it is another name of a file of the application.
  const linked = await project({ ...EXPRESS, 'env/example': 'A=1\n' })
  await symlink('env/example', join(linked, '.env.example'))
  await added(linked, 'stripe')
  expect(await read(linked, 'env/example')).toMatch(/^A=1\n.*STRIPE_WEBHOOK_SECRET=/s)
})

test('an empty folder becomes a project with a secret that nobody else knows', async () => {
  const [one, other] = [await folder(), await folder()]
  await added(one, 'stripe')
  expect((await readdir(one)).sort()).toEqual([
    ...['.env', '.env.example', '.gitignore', 'package.json', 'server.ts', 'tsconfig.json'],
    'webhooks',
  ])
  await added(other, 'stripe')
  const secret = /^STRIPE_WEBHOOK_SECRET=(whsec_\w{48})$/m
  expect(await read(one, '.env')).toMatch(/^NODE_ENV=development$/m)
  expect(await read(one, '.env')).toMatch(
    /^# Stripe: In (?:.*\n# )+made up .*\nSTRIPE_WEBHOOK_SECRET=/m,
  )
  expect(await read(one, '.env.example')).not.toMatch(/NODE_ENV|made up/)
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

test("somebody's own project with any version is not taken for a new one", async () => {
  const path = await project(depends('express', { name: 'shop' }))
  const { installs } = await added(path, 'stripe')
  expect(installs.join()).not.toContain('express ')
  expect((await readdir(path)).sort()).toEqual(['.env.example', 'package.json', 'webhooks'])
})

test('a service that shares no secret gets a pair of keys, in its test and for send', async () => {
  const path = await project({ ...depends('next'), 'app/page.js': '' })
  const { next } = await added(path, 'telnyx')
  expect(await read(path, 'app/webhooks/telnyx/route.test.js')).toContain('keyPairFor(telnyx)')
  expect(next).toMatchObject({
    keys: 'npx webhook-receiver keys telnyx',
    send: expect.stringMatching(/ --scheme telnyx --secret-file telnyx\.key$/),
  })
  // Nobody else can sign for this one.
  expect((await added(path, 'aws-sns')).next).not.toHaveProperty('test')
})

test.each([
  ['livekit', 'LIVEKIT_API_SECRET', 'scheme: livekit, store }'],
  ['qstash', 'QSTASH_CURRENT_SIGNING_KEY', "duplicates: 'id'"],
])('%s, which signs by JWT, comes from its own package', async (name, variable, options) => {
  const path = await project(EXPRESS)
  const { installs } = await added(path, name, '--store', 'redis')
  expect(installs[0]).toMatch(/@webhook-receiver\/jwt@\S+ jose/)
  const route = await read(path, `webhooks/${name}.js`)
  for (const part of [`{ ${name} } = require('@webhook-receiver/jwt')`, variable, options])
    expect(route).toContain(part)
  expect(await read(path, `webhooks/${name}.test.js`)).not.toContain('@webhook-receiver/schemes')
})

test('shows each file that it would write, on a terminal with colours', async () => {
  const path = await folder()
  const args = ['add', 'stripe', '--folder', path, '--dry-run']
  const { out } = await invoke(args, { tty: true, env: { TERM: 'xterm' } })
  expect(out).not.toContain('\\u001b')
  const paths = [...out.matchAll(/^ {2}would be new +(\S+)$/gm)].map(([, name]) => name)
  expect(paths).toContain('.env')
  for (const name of paths) expect(out).toContain(`\n\u001b[1m${name}\u001b[22m\n`)
  expect(await readdir(path)).toEqual([])
})

test('App Store, whose scheme has options, gets an example of them to correct', async () => {
  const path = await project(EXPRESS)
  const { next } = await added(path, 'appStore')
  const route = 'webhooks/app-store.js'
  expect(await read(path, route)).toMatch(/APP_STORE_BUNDLE_ID.*scheme: appStore\(\{/s)
  expect(next.real?.at(-1)).toBe(`and in ${route} the options of the scheme, which are an example`)
})

it.each([
  ['twilio', /^\/\/ In production, .*Twilio.*^csrf: \{ trustedOrigins: \['\*'\] \},$/ms],
  ['stripe', undefined],
])('says on SvelteKit that %s may send forms: %s', async (name, expected) => {
  const path = await project(depends('@sveltejs/kit'))
  const { lines } = await added(path, name)
  expect(lines?.text).toEqual(expected && expect.stringMatching(expected))
})

test('--inbox adds a worker, and what belongs into the inbox that another service has', async () => {
  const path = await project(EXPRESS)
  const { next } = await added(path, 'stripe', '--inbox')
  expect(next.work).toBe('node --env-file=.env webhooks/worker.js')
  expect(await read(path, 'webhooks/inbox.js')).toContain("DATABASE_URL ?? 'postgres://")
  expect(await read(path, 'webhooks/stripe.js')).toContain("inbox.receive('stripe')")
  await added(path, 'github', '--inbox')
  expect(await read(path, 'webhooks/github.js')).toContain("duplicates: 'body'")
})

it.each([
  ['express', 'req.delivery', 'res.status(200).end()', 'app.use(receiveSlack)'],
  ['hono', 'c.var.delivery', 'return c.body(null, 200)', "app.route('/', receiveSlack)"],
  ['fastify', 'request.delivery', 'return reply.code(200).send()', 'app.register(receiveSlack)'],
  ['koa', 'ctx.state.delivery', 'ctx.status = 200', 'app.use(receiveSlack.routes())'],
])('--form middleware on %s leaves the response to the application', async (name, ...parts) => {
  const path = await project(depends(name))
  const { lines } = await added(path, 'slack', '--form', 'middleware')
  const [delivery, end, mount] = parts
  const route = await read(path, 'webhooks/slack.js')
  expect(route).toContain(`const { event, id, data } = ${delivery}\n`)
  expect(route).toContain(`${end}\n`)
  expect(route).not.toContain('webhookHandler')
  expect(lines?.text.endsWith(mount), lines?.text).toBe(true)
  expect(await read(path, 'webhooks/slack.test.js')).toContain(`${mount}\n`)
})

test('runs the installation, and says how to repeat one that failed', async () => {
  const path = await project(EXPRESS)
  const npm = join(path, 'npm')
  await writeFile(npm, '#!/bin/sh\necho "$@" >>"$PWD/called"\nexit $(wc -l <called | tr -d " ")')
  await chmod(npm, 0o755)
  const env = { PATH: `${path}:${process.env.PATH}` }
  const { code, err, out } = await invoke(['add', 'stripe', '--folder', path], { env })
  expect(await read(path, 'called')).toMatch(/^install @webhook-receiver\/express@/)
  expect(err).toMatch(/^error: npm install .* ended with 1\./s)
  expect(out).toContain('new        webhooks/stripe.js')
  expect(code).toBe(1)
  await writeFile(npm, '#!/bin/sh')
  const again = await invoke(['add', 'stripe', '--folder', path], { env })
  expect([again.code, again.out]).toEqual([0, expect.not.stringContaining('npm install')])
})
