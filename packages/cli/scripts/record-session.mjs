// Records the two terminals of the README: the emulator, and the Express example with the secret that it wrote.
// With --check it writes nothing, and fails where the README says something else.
import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const README = fileURLToPath(new URL('../README.md', import.meta.url))
const MAIN = fileURLToPath(new URL('../dist/main.js', import.meta.url))
const EXAMPLE = fileURLToPath(new URL('../../../examples/express', import.meta.url))
const OPTIONS = '--rounds 1 --faults duplicate --fault-rate 0.5 --seed 7'
const { WEBHOOK_API_KEY: _key, FORCE_COLOR: _colour, ...ENV } = process.env
const DEADLINE = AbortSignal.timeout(60_000)

const folder = await mkdtemp(join(tmpdir(), 'session-'))
try {
  await compare(await record())
} finally {
  await rm(folder, { recursive: true, force: true })
}

async function record() {
  const port = await freePort()
  const secretFile = join(folder, 'webhook-secret')
  const forward = ['--forward', `http://localhost:${port}/webhooks`, '--secret-file', secretFile]
  const emulator = start(process.execPath, [MAIN, 'emulate', ...forward, ...OPTIONS.split(' ')], {
    env: ENV,
  })
  await emulator.until(/Waiting for a receiver/)
  const WEBHOOK_SECRET = (await readFile(secretFile, 'utf8')).trim()
  const receiver = start(process.execPath, ['--import', 'tsx', 'server.ts'], {
    cwd: EXAMPLE,
    env: { ...ENV, PORT: String(port), WEBHOOK_SECRET },
  })
  const code = await emulator.ended
  receiver.child.kill('SIGTERM')
  await receiver.ended
  if (code !== 0) throw new Error(`The emulator ended with ${code}:\n${emulator.text()}`)
  if ((emulator.text() + receiver.text()).includes(WEBHOOK_SECRET)) {
    throw new Error('The session shows the secret.')
  }
  const normal = normaliser(port, secretFile)
  return [
    '```text',
    '# terminal 1',
    '$ npx webhook-receiver emulate --forward http://localhost:3000/webhooks --secret-file webhook-secret \\',
    `    ${OPTIONS}`,
    normal(emulator.text()).trimEnd(),
    '',
    '# terminal 2, in examples/express',
    '$ WEBHOOK_SECRET="$(cat ../../webhook-secret)" npm start',
    normal(receiver.text()).trimEnd(),
    '```',
  ].join('\n')
}

/** What differs from run to run is written the same: times, ids in the order of their arrival, ports and the folder. */
function normaliser(port, secretFile) {
  const ids = new Map()
  const idOf = (id) => {
    if (!ids.has(id)) ids.set(id, ids.size + 1)
    return `${'0'.repeat(8)}-0000-4000-8000-${String(ids.get(id)).padStart(12, '0')}`
  }
  return (text) =>
    text
      .replaceAll(secretFile, 'webhook-secret')
      .replaceAll(`localhost:${port}`, 'localhost:3000')
      .replace(/127\.0\.0\.1:\d+/g, '127.0.0.1:4000')
      .replace(/[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[\da-f]{4}-[\da-f]{12}/g, idOf)
      .replace(/(?<=WEBHOOK_API_KEY=)[\w-]{32}$/gm, '0'.repeat(32))
      .replace(/^\d\d:\d\d:\d\d /gm, '12:00:00 ')
      .replace(/\b\d+ ms\b/g, '2 ms')
}

async function compare(session) {
  const before = await readFile(README, 'utf8')
  const after = before.replace(
    /(?<=<!-- session -->\n)[\s\S]*?(?=<!-- \/session -->)/,
    () => `${session}\n`,
  )
  if (after === before) {
    console.error('The README shows the session as it is.')
  } else if (process.argv.includes('--check')) {
    console.error(`The README shows another session than this:\n\n${session}`)
    process.exitCode = 1
  } else {
    await writeFile(README, after)
    console.error('The README has the new session.')
  }
}

function start(command, args, options = {}) {
  const child = spawn(command, args, {
    ...options,
    stdio: ['ignore', 'pipe', 'pipe'],
    signal: DEADLINE,
  })
  // Separate, because two pipes have no common order. What is printed before the deliveries goes to standard error.
  const seen = { out: '', err: '' }
  child.stdout.setEncoding('utf8').on('data', (chunk) => {
    seen.out += chunk
  })
  child.stderr.setEncoding('utf8').on('data', (chunk) => {
    seen.err += chunk
  })
  const text = () => seen.err + seen.out
  const ended = new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', resolve)
  })
  return {
    child,
    ended,
    text,
    async until(pattern) {
      while (!pattern.test(text())) {
        if (child.exitCode !== null) throw new Error(`${command} ended:\n${text()}`)
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
    },
  }
}

async function freePort() {
  const server = createServer()
  await new Promise((resolve) => server.listen(0, resolve))
  const { port } = server.address()
  await new Promise((resolve) => server.close(resolve))
  return port
}
