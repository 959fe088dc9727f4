import { readFileSync } from 'node:fs'
import { cp, readFile, writeFile } from 'node:fs/promises'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { scriptArguments } from '../../example.mjs'
import { freePorts } from '../../free-ports.mjs'
import { startApplication } from '../../program.mjs'
import { run } from '../../step.mjs'
import { playExample, vectors } from './example-vectors.mjs'
import { HOST, runtimeOf } from './install.mjs'
import { startWorker } from './workerd.mjs'

/** One for each runtime. */
const SHORT = ['bun', 'deno', 'hono-workers']

const EXAMPLES = fileURLToPath(new URL('../../../../examples/', import.meta.url))

/** Loaded in front of an example: the vectors were signed for this time. */
const CLOCK = `Date.now = () => ${vectors.clock * 1000}\n`

const npmInstall = ['install', '--no-audit', '--no-fund', '--ignore-scripts']

/**
 * How each example is installed, checked and started, in a copy of its folder, as its README says. What is
 * added is the clock, and a port that is free.
 */
const RUNS = [
  {
    example: 'hono-workers',
    on: 'workerd',
    unset: 'responds with 503',
    async prepare({ folder, host }) {
      await run('npm', npmInstall, { cwd: folder })
      await run(host.binary, ['node_modules/typescript/bin/tsc'], { cwd: folder })
      const build = ['node_modules/wrangler/bin/wrangler.js', 'deploy', '--dry-run']
      const env = { ...process.env, WRANGLER_SEND_METRICS: 'false', CI: 'true' }
      await run(host.binary, [...build, '--outdir', 'dist'], { cwd: folder, env })
    },
    start: ({ folder, runtime, env }) =>
      startWorker(runtime.binary, join(folder, 'dist/worker.js'), {
        bindings: env.WEBHOOK_SECRET === undefined ? {} : { WEBHOOK_SECRET: env.WEBHOOK_SECRET },
        date: compatibilityOf(folder),
        before: readFileSync(join(folder, 'clock.mjs'), 'utf8'),
      }),
  },
  onItsOwnRuntime('bun', { check: ['--bun', 'node_modules/typescript/bin/tsc'], start: [] }),
  onItsOwnRuntime('deno', {
    check: ['check', 'server.ts'],
    start: ['run', '--allow-net', '--allow-env'],
  }),
  {
    example: 'nextjs',
    on: 'node24',
    unset: 'responds with 503',
    async prepare({ folder, runtime }) {
      await run('npm', npmInstall, { cwd: folder })
      const env = { ...process.env, NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1' }
      await run(runtime.binary, ['node_modules/next/dist/bin/next', 'build'], { cwd: folder, env })
    },
    start: ({ folder, runtime, env }) =>
      startApplication(['--import', './clock.mjs', 'node_modules/next/dist/bin/next', 'start'], {
        command: runtime.binary,
        cwd: folder,
        env: { ...env, NEXT_TELEMETRY_DISABLED: '1' },
        printed: /- Local: +http:\/\/localhost:(\d+)/,
        group: true,
      }),
  },
  builtForNode('sveltekit', {
    build: [['svelte-kit', 'sync'], ['vite', 'build'], ['tsc']],
    port: () => '0',
  }),
  builtForNode('nuxt', {
    build: [
      ['nuxt', 'build'],
      ['nuxt', 'prepare'],
      ['tsc', '-p', '.nuxt/tsconfig.server.json', '--noEmit'],
    ],
    // Nitro takes 0 for no port.
    port: async () => String((await freePorts(1))[0]),
  }),
  onItsOwnRuntime('elysia', {
    on: 'bun',
    store: true,
    check: ['--bun', 'node_modules/typescript/bin/tsc'],
    start: [],
  }),
]

/** An example whose framework writes a server for Node, which `npm start` starts. */
function builtForNode(name, { build, port }) {
  return {
    example: name,
    on: 'node24',
    unset: 'responds with 503',
    store: true,
    async prepare({ folder, runtime }) {
      // npm chooses the releases that fit the Node that it runs on, and the commands are scripts for `node`.
      const path = [dirname(runtime.binary), join(folder, 'node_modules/.bin'), process.env.PATH]
      const env = { ...process.env, PATH: path.join(delimiter), NUXT_TELEMETRY_DISABLED: '1' }
      await run('npm', npmInstall, { cwd: folder, env })
      for (const [command, ...args] of build) await run(command, args, { cwd: folder, env })
    },
    start: async ({ folder, runtime, env }) =>
      startApplication(['--import', './clock.mjs', ...scriptArguments(folder)], {
        command: runtime.binary,
        cwd: folder,
        env: { ...env, PORT: await port() },
        printed: /^Listening on http:\/\/\S+:(\d+)$/m,
        group: true,
      }),
  }
}

/** An example whose runtime installs the packages, checks the types and runs them. */
function onItsOwnRuntime(name, { on = name, store, check, start }) {
  return {
    example: name,
    on,
    store,
    unset: 'does not start',
    async prepare({ folder, runtime }) {
      await run(runtime.binary, ['install'], { cwd: folder })
      await run(runtime.binary, check, { cwd: folder })
    },
    start: ({ folder, runtime, env }) =>
      startApplication([...start, '--preload', './clock.mjs', 'server.ts'], {
        command: runtime.binary,
        cwd: folder,
        env,
        group: true,
      }),
  }
}

/** Installs each example from the packed packages, plays the vectors to it, and does what its README says. */
export const exampleRows = RUNS.map(({ example, on, prepare, start, unset, store }) => ({
  name: `examples/${example}`,
  short: SHORT.includes(example),
  async run(context) {
    const runtime = await runtimeOf(context, on)
    const folder = context.path(`example-${example}`)
    await cp(join(EXAMPLES, example), folder, { recursive: true })
    await context.registry.writeSettings(folder)
    await prepare({ folder, runtime, host: await runtimeOf(context, HOST) })
    const run = { folder, runtime, start }
    const { saw, problems, notes } = await playVectors(run, { example, store })
    const others = [...(await sendAsDocumented(run)), ...(await withoutSecret(run, unset))]
    return { saw: `${runtime.name}, ${saw}`, problems: [...problems, ...others], notes }
  },
}))

async function playVectors({ folder, runtime, start }, played) {
  await writeFile(join(folder, 'clock.mjs'), CLOCK)
  const env = { PORT: '0', WEBHOOK_SECRET: vectors.secret }
  const program = await start({ folder, runtime, env })
  try {
    return await playExample(program, played)
  } finally {
    await program.stop('SIGKILL')
  }
}

/** Sends what the README of an example sends, and stops the example as a supervisor does. */
async function sendAsDocumented({ folder, runtime, start }) {
  await writeFile(join(folder, 'clock.mjs'), '')
  const env = { PORT: '0', WEBHOOK_SECRET: 'whsec_try_me' }
  const program = await start({ folder, runtime, env })
  try {
    const status = await documentedStatus(folder, program.port)
    const problems = status === 204 ? [] : [`it responds with ${status} to what its README sends`]
    const stops = /SIGTERM/.test(await readFile(join(folder, 'server.ts'), 'utf8').catch(() => ''))
    const code = stops ? (await program.stop()).code : 0
    return code === 0 ? problems : [...problems, `it exits with ${code} on SIGTERM`]
  } finally {
    await program.stop('SIGKILL')
  }
}

/** @param {'does not start' | 'responds with 503'} expected */
async function withoutSecret({ folder, runtime, start }, expected) {
  const env = { PORT: '0', WEBHOOK_SECRET: undefined }
  const program = await start({ folder, runtime, env }).catch((error) => error)
  if (program instanceof Error) {
    const reported = program.message.includes(
      'TypeError: The secret is undefined: is its environment variable',
    )
    return reported && expected === 'does not start' ? [] : [`without a secret: ${program.message}`]
  }
  try {
    const status = await documentedStatus(folder, program.port)
    return `responds with ${status}` === expected
      ? []
      : [`without a secret it responds with ${status}`]
  } finally {
    await program.stop('SIGKILL')
  }
}

async function documentedStatus(folder, port) {
  const readme = await readFile(join(folder, 'README.md'), 'utf8')
  const blocks = [...readme.matchAll(/```sh\n(.*?)```/gs)].map(([, block]) => block)
  const commands = blocks.find((block) => block.includes('curl')) ?? 'exit 1'
  const env = { ...process.env, PORT: String(port) }
  const output = await run('sh', ['-ec', commands], { env })
  return Number(/^HTTP\/1\.1 (\d{3})/.exec(output)?.[1])
}

function compatibilityOf(folder) {
  const settings = readFileSync(join(folder, 'wrangler.jsonc'), 'utf8')
  return /"compatibility_date": "([\d-]+)"/.exec(settings)?.[1]
}
