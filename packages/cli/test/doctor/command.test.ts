import { execFileSync, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CommanderError } from '@commander-js/extra-typings'
import { webhookHandler } from '@webhook-receiver/node'
import { describe, expect, onTestFinished, test } from 'vitest'
import { Failure, UsageError } from '../../src/console/failure.ts'
import { doctorCommand } from '../../src/doctor/command.ts'
import { PROBES } from '../../src/doctor/probes/index.ts'
import { context, type Settings } from './command-context.ts'
import { PATIENCE } from './doctor-report.ts'
import { COMMON, startFaulty } from './faulty-receiver.ts'
import { SECRET } from './receiver.ts'

async function run(args: readonly string[], settings: Settings = {}) {
  const { given, printed } = context({ env: { WEBHOOK_SECRET: SECRET }, ...settings })
  let code: number | undefined
  const command = doctorCommand(given, (ended) => {
    code = ended
  })
  const output = {
    writeErr: (text: string) => given.stderr.write(text),
    writeOut: (text: string) => given.stdout.write(text),
  }
  try {
    const patient = args.includes('--timeout') ? args : [...args, '--timeout', `${PATIENCE}`]
    await command.exitOverride().configureOutput(output).parseAsync(patient, { from: 'user' })
  } catch (error) {
    if (error instanceof CommanderError) code = error.exitCode === 0 ? 0 : 2
    else if (error instanceof UsageError) code = 2
    else if (error instanceof Failure) code = 1
    else throw error
    if (!(error instanceof CommanderError)) given.stderr.write(error.message)
  }
  return { code, ...printed() }
}

describe('doctor', () => {
  test('exits 0 and prints one sentence of at most 80 columns without colours where all passed', async () => {
    const { code, stdout, stderr } = await run([await startFaulty()])
    expect(code).toBe(0)
    expect(stdout.replace(/\s+/g, ' ')).toBe(
      `Nothing is wrong: ${PROBES.length - 4} of ${PROBES.length} probes passed, 4 cannot be seen from outside (add --observe to check whether the handler ran). `,
    )
    expect(stdout).not.toContain('\u001b')
    expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80)
    expect(stderr).toMatch(/^Examining http:.* …\n$/)
  })

  test('exits 1, in colours on a terminal, with progress on standard error', async () => {
    const url = await startFaulty(COMMON['any-timestamp'])
    const { code, stdout, stderr } = await run([url], { tty: true })
    expect(code).toBe(1)
    expect(stdout).toContain('\u001b[1m1. The receiver accepts any timestamp')
    expect(stderr).toContain(`${PROBES.length}/${PROBES.length} ${PROBES.at(-1)?.id}`)
    const plain = { env: { WEBHOOK_SECRET: SECRET, NO_COLOR: '1' }, tty: true }
    expect((await run([url], plain)).stdout).not.toContain('\u001b')
  })

  test('--json gives one value with the verdict of each probe, and never the secret', async () => {
    const url = await startFaulty(COMMON['compares-prefix'])
    const { code, stdout } = await run([url, '--json'])
    const report = JSON.parse(stdout)
    expect(code).toBe(1)
    expect(report).toMatchObject({ url, ok: false, effects: 'not observed' })
    expect(report.probes).toHaveLength(PROBES.length)
    expect(report.faults).toMatchObject([{ code: 'prefix-compared' }])
    expect(stdout).not.toContain(SECRET)
  })

  test('finds deduplication on the header through an observing command', async () => {
    const url = await startFaulty(COMMON['dedupes-on-header'])
    const observe = `curl --silent '${new URL('/runs', url)}?id={id}'`
    const { code, stdout } = await run([url, '--json', '--observe', observe])
    expect(code).toBe(1)
    expect(JSON.parse(stdout).faults).toMatchObject([
      { code: 'header-id-deduplicated', probes: ['header-id-reused', 'header-id-changed'] },
    ])
  })

  test('sends a real event only where one is asked for', async () => {
    const events = new Set<string>()
    const listener = webhookHandler(
      SECRET,
      (delivery) => {
        events.add(delivery.event)
      },
      { onRejected: false },
    )
    const server = createServer(listener).listen(0, 'localhost')
    await once(server, 'listening')
    onTestFinished(() => void server.close())
    const url = `http://localhost:${(server.address() as AddressInfo).port}/`
    expect(await run([url])).toMatchObject({ code: 0 })
    expect([...events]).toEqual(['webhook_receiver.probe'])
    expect(await run([url, '--event', 'message.read'])).toMatchObject({ code: 0 })
    expect([...events]).toEqual(['webhook_receiver.probe', 'message.read'])
  })

  test.skipIf(spawnSync('openssl', ['version']).status !== 0)('speaks https', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'doctor-'))
    const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
    execFileSync(
      'openssl',
      [
        ...[
          'req',
          '-x509',
          '-newkey',
          'rsa:2048',
          '-nodes',
          '-days',
          '2',
          '-subj',
          '/CN=localhost',
        ],
        ...['-addext', 'subjectAltName=DNS:localhost', '-keyout', key, '-out', cert],
      ],
      { stdio: 'ignore' },
    )
    const listener = webhookHandler(SECRET, () => {}, { onRejected: false })
    const server = createSecureServer(
      { key: readFileSync(key), cert: readFileSync(cert) },
      listener,
    ).listen(0, 'localhost')
    await once(server, 'listening')
    onTestFinished(() => void server.close())
    const url = `https://localhost:${(server.address() as AddressInfo).port}/`
    const file = join(folder, 'secret')
    writeFileSync(file, `${SECRET}\n`)
    const settings = ['--secret-file', file]
    expect(await run([url, '--ca', cert, ...settings], { env: {} })).toMatchObject({ code: 0 })
    const untrusted = await run([url, ...settings], { env: {} })
    expect(untrusted).toMatchObject({ code: 1 })
    expect(untrusted.stderr).toMatch(/responds at https:\S+: self-signed certificate\. .* add --ca/)
  })
})

describe('doctor exits 2 and says why', () => {
  const local = 'http://localhost:1/'
  test.each([
    [[], "missing required argument 'url'"],
    [[local, local], 'too many arguments'],
    [['nonsense'], 'is not a URL'],
    [['ftp://localhost/'], 'http:// or https://'],
    [['http://a:b@localhost/'], 'user name'],
    [['https://example.com/webhooks'], 'add --yes'],
    [['http://localhost.example.com/'], 'add --yes'],
    [[local, '--nonsense'], '--nonsense'],
    [[local, '--timeout', 'soon'], '--timeout'],
    [[local, '--data', '[]'], '--data'],
    [[local, '--secret-file', '/nowhere'], '/nowhere'],
    [[local, '--observe', 'echo 1'], '{id}'],
    [[local, '--observe', 'http://127.0.0.1:1/'], '127.0.0.1:1 did not respond'],
    [[local, '--observe', 'echo many {id}'], 'how often a delivery was handled'],
    [[local, '--observe', 'exit 3 # {id}'], 'failed (3)'],
    [[local, '--observe', 'echo 7 # {id}'], 'never sent'],
  ])('%j', async (args, reason) => {
    const { code, stdout, stderr } = await run(args)
    expect(code).toBe(2)
    expect(stderr).toContain(reason)
    expect(stdout).toBe('')
  })

  test('without a secret', async () => {
    const { code, stderr } = await run([local], { env: {} })
    expect(code).toBe(2)
    expect(stderr).toContain('WEBHOOK_SECRET')
  })
})

test('doctor --help has an example', async () => {
  const { code, stdout } = await run(['--help'])
  expect(code).toBe(0)
  expect(stdout).toContain('$ webhook-receiver doctor http://localhost:3000/webhooks')
})

test('doctor ends after the probe under way when it is interrupted', async () => {
  const url = await startFaulty()
  const signal = AbortSignal.abort()
  await expect(run([url], { signal })).rejects.toThrow(`Interrupted. 0 of ${PROBES.length} probes`)
})

test('doctor asks for the secret at a terminal and does not show it', async () => {
  const typed = run(['http://127.0.0.1:1/'], { env: {}, tty: true, typed: `${SECRET}\r` })
  const { code, stdout, stderr } = await typed
  expect(code).toBe(1)
  expect(stderr).toContain('not shown')
  expect(stdout + stderr).not.toContain(SECRET)
})

test.each([
  [
    'http://127.0.0.1:1/',
    /^No HTTP server responds at \S+: connect ECONNREFUSED 127\.0\.0\.1:1\. .+$/,
  ],
  ['localhost:3000/webhooks', /^"localhost:3000\/webhooks" is not a URL that begins with http.+$/],
])('doctor says in one line what is wrong with %s', async (url, message) => {
  const { stdout, stderr } = await run([url])
  expect(stdout).toBe('')
  expect(stderr.replace(/^Examining .*\n/, '')).toMatch(message)
})
