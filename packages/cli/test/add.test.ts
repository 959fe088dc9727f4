import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Script } from 'node:vm'
import type { Scheme } from '@webhook-receiver/core'
import * as schemes from '@webhook-receiver/schemes'
import { expect, it, test } from 'vitest'
import { FRAMEWORKS, newProject, planFor, serviceOf, tokenSchemes } from '../src/add/index.ts'
import { folder } from './folder.ts'
import { invoke, words } from './invoke.ts'

type Files = Readonly<Record<string, string | object>>

const depends = (name: string, more = {}) => ({
  'package.json': { dependencies: { [name]: '*' }, ...more },
})
const EXPRESS = depends('express')
const TYPED = { 'tsconfig.json': '{}' }

/** A folder of an application, from the text or the JSON of its files. */
async function project(files: Files) {
  const path = await folder()
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(path, name)), { recursive: true })
    await writeFile(join(path, name), textOf(content))
  }
  return path
}

function textOf(content: string | object) {
  return typeof content === 'string' ? content : JSON.stringify(content)
}

/** What `add --json` says of a project. `transcripts/add.txt` has what it prints. */
async function added(path: string, ...args: readonly string[]) {
  const all = words`add ${args} --folder ${path} --no-install --json`
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
  // Next.js ignores the routes in src where app or pages is beside it.
  [
    'next',
    { ...depends('next'), 'app/page.tsx': '', 'src/lib.ts': '', ...TYPED },
    'app/webhooks/stripe/route.ts',
    '',
  ],
  [
    'next',
    { ...depends('next'), 'pages/index.js': '', 'src/lib.js': '' },
    'pages/api/webhooks/stripe.js',
    '',
  ],
  ['express', depends('express', { name: 'a', scripts: { start: 5 } }), 'webhooks/stripe.js', ''],
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

// Zoom retries, and may not sign a retry again; Supabase's hooks have a window without an option.
test.each([
  ['discord-interactions', true],
  ['supabase', false],
  ['zoom', false],
])('the route of %s has a tolerance where only that stops a replay: %s', async (service, has) => {
  const path = await project(EXPRESS)
  await added(path, service)
  expect((await read(path, `webhooks/${service}.js`)).includes('tolerance: 300')).toBe(has)
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

test('writes JavaScript without types for services that sign by a token', async () => {
  const dialect = { language: 'js', module: 'cjs', ending: '.js' } as const
  const project = { ...newProject('express', 'vitest'), dialect }
  for (const { exported, scheme, from } of await tokenSchemes()) {
    const service = serviceOf(exported, scheme, from)
    for (const form of ['handler', 'middleware'] as const) {
      const { files } = planFor(service, project, { form })
      expect(() => new Script(files[`webhooks/${service.name}.js`] ?? '?')).not.toThrow()
    }
  }
})

test.each(Object.keys(FRAMEWORKS))('writes JavaScript without types for %s', (name) => {
  const dialect = { language: 'js', module: 'esm', ending: '.js' } as const
  const project = { ...newProject(name as keyof typeof FRAMEWORKS, 'vitest'), dialect }
  const { files } = planFor(serviceOf('github', schemes.github), project)
  const code = Object.entries(files).filter(([path]) => path.endsWith('.js'))
  expect(code.length).toBeGreaterThan(1)
  expect(`${code}`).not.toMatch(/ as never|: unknown|import type/)
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
