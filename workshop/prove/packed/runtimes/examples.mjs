import { cp, readFile, writeFile } from 'node:fs/promises'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { scriptArguments } from '../../example.mjs'
import { freePorts } from '../../free-ports.mjs'
import { withServer } from '../../receive.mjs'
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

    const start = async (secret, clock, work) => {
      await writeFile(join(folder, 'clock.mjs'), clock)
      const [port] = await freePorts(1)
      const variables = { ...env, PORT: String(port), WEBHOOK_SECRET: secret }
      const where = { port, cwd: folder, env: variables }
      return withServer(example.start(folder), where, (program) => work({ ...program, port }))
    }
    const { saw, problems, notes } = await start(vectors.secret, CLOCK, (program) =>
      playExample(program, { example: name, store: example.store }),
    )
    const found = await start('whsec_made_up_secret_for_tests', '', (program) =>
      sendAsDocumented(program, folder),
    )
    return { saw: `${runtime.name}, ${saw}`, problems: [...problems, ...found], notes }
  },
}))

/** Sends what the README of an example sends, and stops the example as a supervisor does. */
async function sendAsDocumented(program, folder) {
  const status = await documentedStatus(folder, program.port)
  const problems = status === 204 ? [] : [`it responds with ${status} to what its README sends`]
  const stops = /SIGTERM/.test(await readFile(join(folder, 'server.ts'), 'utf8').catch(() => ''))
  const code = stops ? (await program.stop()).code : 0
  return code === 0 ? problems : [...problems, `it exits with ${code} on SIGTERM`]
}

async function documentedStatus(folder, port) {
  const readme = await readFile(join(folder, 'README.md'), 'utf8')
  const blocks = [...readme.matchAll(/```sh\n(.*?)```/gs)].map(([, block]) => block)
  const commands = blocks.find((block) => block.includes('curl')) ?? 'exit 1'
  const env = { ...process.env, PORT: String(port) }
  const output = await run('sh', ['-ec', commands], { env })
  return Number(/^HTTP\/1\.1 (\d{3})/.exec(output)?.[1])
}
