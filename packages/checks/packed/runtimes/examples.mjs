import { readFileSync } from 'node:fs'
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { scriptArguments } from '../../example.mjs'
import { freePorts } from '../../free-ports.mjs'
import { startApplication } from '../../program.mjs'
import { pairwise, run } from '../../step.mjs'
import { playExample } from './example-vectors.mjs'
import { vectors } from './vectors.mjs'
import { startWorker } from './workerd.mjs'

const EXAMPLES = fileURLToPath(new URL('../../../../examples/', import.meta.url))

/** Loaded in front of an example: the vectors were signed for this time. */
const CLOCK = `Date.now = () => ${vectors.clock * 1000}\n`

/** The Pages Router has its routes below /api, and the vectors are for another path. */
const PAGES_ROUTE = `import { webhookHandler } from '@webhook-receiver/node'

export const config = { api: { bodyParser: false } }

export default webhookHandler(() => process.env.WEBHOOK_SECRET, {
  any: async ({ id, event, data }) => {
    console.log(JSON.stringify({ id, event, instance_id: data.instance_id }))
  },
})
`
const PAGES_PATH = `export default {
  rewrites: async () => [{ source: '/webhooks', destination: '/api/webhooks' }],
}
`

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
        compatibility: { date: compatibilityOf(folder) },
        before: readFileSync(join(folder, 'clock.mjs'), 'utf8'),
      }),
  },
  onItsOwnRuntime('bun', { check: ['--bun', 'node_modules/typescript/bin/tsc'], start: [] }),
  onItsOwnRuntime('deno', {
    check: ['check', 'server.ts'],
    start: ['run', '--allow-net', '--allow-env'],
  }),
  onNext('nextjs'),
  onNext('nextjs-pages', async ({ folder }) => {
    await run('npm', [...npmInstall, '@webhook-receiver/node'], { cwd: folder })
    await rm(join(folder, 'app/webhooks'), { recursive: true })
    await mkdir(join(folder, 'pages/api'), { recursive: true })
    await writeFile(join(folder, 'pages/api/webhooks.ts'), PAGES_ROUTE)
    await writeFile(join(folder, 'next.config.mjs'), PAGES_PATH)
  }),
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

/** The example of Next.js as its production build; with `change`, another way to write it. */
function onNext(name, change) {
  return {
    example: name,
    from: 'nextjs',
    on: 'node24',
    unset: 'responds with 503',
    async prepare({ folder, runtime }) {
      await run('npm', npmInstall, { cwd: folder })
      await change?.({ folder })
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
  }
}

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

export const EXAMPLE_NAMES = RUNS.map(({ example }) => example)

/** Which runtimes examples run on. */
export function runtimesOf(examples) {
  return RUNS.filter(({ example }) => examples.includes(example)).map(({ on }) => on)
}

/** Installs each example whose runtime is there from the packed packages, and plays the vectors to it. */
export async function runExamples({ folder, registry, runtimes, host, only }) {
  const runs = RUNS.filter(({ example }) => only.includes(example)).map((each) => ({
    ...each,
    runtime: runtimes.find(({ id }) => id === each.on),
  }))
  return pairwise(
    runs.filter(({ runtime }) => runtime),
    (each) => runExample({ ...each, folder: join(folder, each.example), registry, host }),
  )
}

async function runExample(each) {
  const { example, from = example, runtime, prepare, start, unset, store } = each
  const { folder, registry, host } = each
  const started = performance.now()
  const result = { name: example, on: runtime.name }
  const run = { folder, runtime, start }
  try {
    await cp(join(EXAMPLES, from), folder, { recursive: true })
    await registry.writeSettings(folder)
    await prepare({ folder, runtime, host })
    const found = await playVectors(run, { example, store })
    const others = [...(await sendAsDocumented(run)), ...(await withoutSecret(run, unset))]
    return { ...result, vectors: found, problems: [...found.problems, ...others] }
  } catch (error) {
    return { ...result, problems: [error.message] }
  } finally {
    const seconds = ((performance.now() - started) / 1000).toFixed(1)
    console.error(`${seconds.padStart(6)} s  example ${example}`)
  }
}

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
