import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { readFile, rename } from 'node:fs/promises'
import { createServer } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import { pipeline } from 'node:stream'
import { createServer as createSecureServer } from 'node:tls'
import { fileURLToPath } from 'node:url'
import { tableDefinitionOf } from '@webhook-receiver/dynamodb'
import { createEmulator } from '@webhook-receiver/emulator'
import { createTable, startDynamodb } from '../dynamodb.mjs'
import { DATABASE_URL, queryPostgres } from '../postgres.mjs'
import { startProgram } from '../program.mjs'
import { receive, untilListening } from '../receive.mjs'
import { REDIS_URL } from '../redis.mjs'
import { chooseSigner } from '../signing.mjs'
import { run } from '../step.mjs'

const SERVE = fileURLToPath(import.meta.resolve('@webhook-receiver/checks/serve.mjs'))

/** The examples that need something around them. */
const OWN = {
  '@webhook-receiver/client': registers,
  '@webhook-receiver/conformance': passesUnderVitest,
  '@webhook-receiver/dynamodb': storesInDynamodb,
  '@webhook-receiver/emulator': sends,
  '@webhook-receiver/inbox': storesInPostgres,
  '@webhook-receiver/postgres': storesInPostgres,
  '@webhook-receiver/redis': storesInRedis,
  '@webhook-receiver/schemes': receivesFromStripe,
  '@webhook-receiver/sqlite': storesInSqlite,
}

/** How to try the first example of a package: a function that gives what was seen, and throws what was wrong. */
export function exerciseFor(name, code) {
  if (OWN[name]) return OWN[name]
  if (code === undefined) return printsUsage
  if (/\blisten\(/.test(code)) return (example) => printsDelivery(example, [example.file])
  if (/^export /m.test(code)) {
    return (example) => printsDelivery(example, [SERVE, example.file, String(example.port)])
  }
  return endsWell
}

/** Signed as Stripe does it, by node:crypto: the time and the body. */
async function receivesFromStripe({ folder, env, port, file }) {
  const secret = 'whsec_rehearsal'
  const program = startProgram(process.execPath, [file], {
    cwd: folder,
    env: { ...env, NODE_OPTIONS: '', STRIPE_SECRET: secret },
  })
  const send = async (key) => {
    const time = Math.floor(Date.now() / 1000)
    const body = JSON.stringify({ id: 'evt_1', type: 'invoice.paid', data: { object: {} } })
    const mac = createHmac('sha256', key).update(`${time}.${body}`).digest('hex')
    const headers = { 'stripe-signature': `t=${time},v1=${mac}` }
    return (await fetch(`http://localhost:${port}/stripe`, { method: 'POST', headers, body }))
      .status
  }
  try {
    await untilListening(port, program)
    const [forged, valid] = [await send('whsec_other'), await send(secret)]
    assert.equal(forged, 401)
    assert.match(String(valid), /^2/)
    assert.match(program.output().stdout, /evt_1/)
    return `forged ${forged}, valid ${valid}`
  } finally {
    await program.stop('SIGKILL')
  }
}

async function printsUsage({ shell, command }) {
  assert.ok(command, 'The README has neither a program nor a command that begins with "npx".')
  assert.match(await shell(command), /^Usage: /m)
  return `${command}: exit code 0`
}

async function endsWell({ shell, file }) {
  await shell(`node ${file}`)
  return 'runs to its end'
}

async function passesUnderVitest({ folder, shell, file }) {
  await rename(file, join(folder, 'example.test.mjs'))
  const [summary] = /\d+ cases run, .*/.exec(await shell('npx vitest run')) ?? ['nothing']
  assert.match(summary, /^[1-9]\d* cases run, 0 wrong, 0 uncaught errors/)
  return summary.split(',').slice(0, 2).join(',')
}

/** The handler prints something of the valid delivery, once, since it does not run for the forged one. */
async function printsDelivery(example, args) {
  const { id, event, data, printed, saw } = await receive(example, args)
  const texts = [id, event, data.instance_id, data.data.text]
  const times = texts.map((text) => printed.stdout.split(text).length - 1)
  assert.equal(Math.max(...times), 1, `The example printed "${printed.stdout}".`)
  return saw
}

async function storesInRedis(example) {
  return (await receive(example, [example.file], { REDIS_URL })).saw
}

/** In a separate database, since the example creates tables. */
async function storesInPostgres(example) {
  const name = `rehearsal_${process.pid}`
  const own = new URL(DATABASE_URL)
  own.pathname = name
  await queryPostgres(`CREATE DATABASE ${name}`)
  try {
    return (await receive(example, [example.file], { DATABASE_URL: own.href })).saw
  } finally {
    await queryPostgres(`DROP DATABASE ${name} WITH (FORCE)`)
  }
}

async function storesInDynamodb(example) {
  const { url, stop } = await startDynamodb()
  try {
    await createTable(url, tableDefinitionOf().TableName)
    const { saw } = await receive(example, [SERVE, example.file, String(example.port)], {
      AWS_ENDPOINT_URL_DYNAMODB: url,
      AWS_REGION: 'us-east-1',
      AWS_ACCESS_KEY_ID: 'test',
      AWS_SECRET_ACCESS_KEY: 'test',
    })
    return saw
  } finally {
    await stop()
  }
}

async function storesInSqlite(example) {
  if (!process.getBuiltinModule('node:sqlite')) return 'only compiled: node:sqlite needs Node 22.13'
  return (await receive(example, [example.file])).saw
}

/** The emulator sends a delivery to a receiver here, with the secret that the example prints. */
async function sends({ folder, file, port }) {
  const received = []
  const receiver = createServer(async (req, res) => {
    received.push({ headers: req.headers, body: Buffer.concat(await req.toArray()) })
    res.writeHead(204).end()
  }).listen(port)
  try {
    const stdout = await run(process.execPath, [file], { cwd: folder })
    const secret = /^WEBHOOK_SECRET=(.+)$/m.exec(stdout)?.[1]
    assert.match(stdout, /^delivered\b/m)
    assert.equal(received.length, 1, 'the number of requests')
    const [{ headers, body }] = received
    const mac = chooseSigner().sign(secret, headers['x-webhook-timestamp'], body)
    assert.equal(headers['x-webhook-signature'], `sha256=${mac}`)
    return '1 delivery with a valid signature'
  } finally {
    receiver.close()
  }
}

/** The client asks for HTTPS, so the emulator is put behind it, with a certificate made here. */
async function registers({ folder, env, file }) {
  const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')]
  await run('openssl', [
    ...['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '1', '-subj', '/CN=localhost'],
    ...['-addext', 'subjectAltName=IP:127.0.0.1', '-keyout', key, '-out', certificate],
  ])
  const emulator = createEmulator({ allowedHosts: ['127.0.0.1'] })
  await emulator.start()
  const { port } = new URL(emulator.baseUrl)
  const options = { key: await readFile(key), cert: await readFile(certificate) }
  const secure = createSecureServer(options, (socket) => {
    pipeline(socket, connect(Number(port), '127.0.0.1'), socket, () => {})
  }).listen(0, '127.0.0.1')
  await once(secure, 'listening')
  try {
    const stdout = await run(process.execPath, [file], {
      cwd: folder,
      env: {
        ...env,
        API_BASE_URL: `https://127.0.0.1:${secure.address().port}`,
        API_KEY: emulator.apiKey,
        NODE_EXTRA_CA_CERTS: certificate,
      },
    })
    const secret = await readFile(join(folder, 'webhook-secret'), 'utf8')
    assert.match(secret, /^whsec_/)
    assert.match(stdout, /message\.received/)
    assert.ok(!stdout.includes(secret), 'The example printed the secret.')
    return '1 webhook, its secret in a file'
  } finally {
    secure.close()
    await emulator.stop()
  }
}
