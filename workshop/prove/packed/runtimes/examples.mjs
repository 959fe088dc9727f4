import { cp, readFile, writeFile } from 'node:fs/promises'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { scriptArguments } from '../../example.mjs'
import { freePorts } from '../../free-ports.mjs'
import { startProgram } from '../../program.mjs'
import { untilListening } from '../../receive.mjs'
import { run } from '../../step.mjs'
import { playExample, vectors } from './example-vectors.mjs'
import { HOST, QUIET, runtimeOf } from './install.mjs'

const ROOT = fileURLToPath(new URL('../../../../examples/', import.meta.url))

/** Loaded in front of an example: the vectors were signed for this time. */
const CLOCK = `Date.now = () => ${vectors.clock * 1000}\n`

/** Serves the bundle of the Worker by workerd alone, without the proxy that `wrangler dev` puts in front of it. */
const WORKER = {
  'serve.mjs': `import './clock.mjs'\nexport { default } from './dist/worker.js'\n`,
  'config.capnp': `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "worker", worker = .worker)],
  sockets = [(name = "http", http = (), service = "worker")],
);
const worker :Workerd.Worker = (
  modules = [
    (name = "serve.mjs", esModule = embed "serve.mjs"),
    (name = "clock.mjs", esModule = embed "clock.mjs"),
    (name = "dist/worker.js", esModule = embed "dist/worker.js"),
  ],
  compatibilityDate = "2026-08-01",
  bindings = [(name = "WEBHOOK_SECRET", fromEnvironment = "WEBHOOK_SECRET")],
);
`,
}

const onNode = (start) => ({
  on: HOST,
  prepare: [
    'npm install --no-audit --no-fund --ignore-scripts',
    'npm run build',
    'npm run typecheck',
  ],
  start: (folder) => ['node', '--import', './clock.mjs', ...start(folder)],
})

const onBun = {
  on: 'bun',
  prepare: ['bun install', 'bun run typecheck'],
  start: () => ['bun', '--preload', './clock.mjs', 'server.ts'],
}

/** How each example is installed, checked and started, as its README says. What is added is the clock, and a port that is free. */
const EXAMPLES = {
  bun: { ...onBun, short: true },
  deno: {
    on: 'deno',
    short: true,
    prepare: ['deno install', 'deno check server.ts'],
    start: () => 'deno run --allow-net --allow-env --preload ./clock.mjs server.ts'.split(' '),
  },
  elysia: { ...onBun, store: true },
  'hono-workers': {
    ...onNode(() => []),
    short: true,
    files: WORKER,
    start: () => ['sh', '-c', 'exec workerd serve config.capnp --socket-addr=http=127.0.0.1:$PORT'],
  },
  nextjs: onNode(() => ['node_modules/next/dist/bin/next', 'start']),
  nuxt: { ...onNode(scriptArguments), store: true },
  sveltekit: { ...onNode(scriptArguments), store: true },
}

/** Installs each example from the packed packages, plays the vectors to it, and does what its README says. */
export const exampleRows = Object.entries(EXAMPLES).map(([name, example]) => ({
  name: `examples/${name}`,
  short: example.short,
  async run(context) {
    const runtime = await runtimeOf(context, example.on)
    const folder = context.path(`example-${name}`)
    await cp(join(ROOT, name), folder, { recursive: true })
    for (const [file, text] of Object.entries(example.files ?? {})) {
      await writeFile(join(folder, file), text)
    }
    await context.registry.writeSettings(folder)
    const path = [dirname(runtime.binary), join(folder, 'node_modules/.bin'), process.env.PATH]
    const env = { ...process.env, ...QUIET, PATH: path.join(delimiter) }
    for (const command of example.prepare) await run('sh', ['-ec', command], { cwd: folder, env })

    const start = (secret, clock) =>
      startExample({ folder, env, start: example.start, secret, clock })
    const { saw, problems, notes } = await playVectors(start, name, example.store)
    problems.push(...(await sendAsDocumented(start, folder)))
    return { saw: `${runtime.name}, ${saw}`, problems, notes }
  },
}))

async function startExample({ folder, env, start, secret, clock = '' }) {
  await writeFile(join(folder, 'clock.mjs'), clock)
  const [port] = await freePorts(1)
  const [command, ...args] = start(folder)
  const program = startProgram(command, args, {
    cwd: folder,
    env: { ...env, PORT: String(port), WEBHOOK_SECRET: secret },
    group: true,
  })
  try {
    await untilListening(port, program)
    return { ...program, port }
  } catch (error) {
    const { stderr } = await program.stop('SIGKILL')
    throw new Error(`${error.message}\n${stderr}`)
  }
}

async function playVectors(start, example, store) {
  const program = await start(vectors.secret, CLOCK)
  try {
    return await playExample(program, { example, store })
  } finally {
    await program.stop('SIGKILL')
  }
}

/** Sends what the README of an example sends, and stops the example as a supervisor does. */
async function sendAsDocumented(start, folder) {
  const program = await start('whsec_made_up_secret_for_tests')
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

async function documentedStatus(folder, port) {
  const readme = await readFile(join(folder, 'README.md'), 'utf8')
  const blocks = [...readme.matchAll(/```sh\n(.*?)```/gs)].map(([, block]) => block)
  const commands = blocks.find((block) => block.includes('curl')) ?? 'exit 1'
  const env = { ...process.env, PORT: String(port) }
  const output = await run('sh', ['-ec', commands], { env })
  return Number(/^HTTP\/1\.1 (\d{3})/.exec(output)?.[1])
}
