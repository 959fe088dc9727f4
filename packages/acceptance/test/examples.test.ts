import { execFile, spawnSync } from 'node:child_process'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { afterAll, describe, expect, it } from 'vitest'
import {
  compile,
  copyExample,
  endOfExample,
  exampleDirectory,
  killExamples,
  readmeCommands,
  SECRET,
  startExample,
} from './example.ts'
import { exchange, requestHead, signedRequest } from './wire.ts'

const OTHER_SECRET = 'whsec_ffffffffffffffffffffffffffffffff'

const hasShellTools =
  process.platform !== 'win32' &&
  ['openssl version', 'curl --version', 'sh -c :'].every((command) => {
    const [program = '', ...args] = command.split(' ')
    return spawnSync(program, args).status === 0
  })

afterAll(killExamples)

describe.each(['express', 'fastify', 'hono', 'koa', 'opentelemetry'])(
  'the %s example',
  { timeout: 30_000 },
  (framework) => {
    const directory = exampleDirectory(framework)

    it('answers 204 to a genuine delivery and prints one line of JSON', async () => {
      const example = await startExample(directory)
      const { head, body, line } = signedRequest(SECRET)
      expect(await exchange(example.port, [head, body])).toBe(204)
      expect((await example.stop()).stdout).toBe(`${line}\n`)
    })

    it('prints one line for each id, however many copies come', async () => {
      const example = await startExample(directory)
      const [first, second] = [signedRequest(SECRET), signedRequest(SECRET)]
      const copies = await Promise.all(
        Array.from({ length: 20 }, () => exchange(example.port, [first.head, first.body])),
      )
      // One that comes while another is handled is told to come again.
      expect(copies).toContain(204)
      expect(copies.filter((status) => status !== 204 && status !== 503)).toEqual([])
      expect(await exchange(example.port, [first.head, first.body])).toBe(204)
      expect(await exchange(example.port, [second.head, second.body])).toBe(204)
      expect((await example.stop()).stdout).toBe(`${first.line}\n${second.line}\n`)
    })

    it('answers 401 to a forged delivery and prints nothing', async () => {
      const example = await startExample(directory)
      const { head, body } = signedRequest(OTHER_SECRET)
      expect(await exchange(example.port, [head, body])).toBe(401)
      const { stdout, stderr } = await example.stop()
      expect(stdout).toBe('')
      expect(stderr).toContain('401 signature_mismatch')
    })

    async function printedFor300Forgeries(environment: string | undefined) {
      const example = await startExample(directory, { env: { NODE_ENV: environment } })
      const { head, body } = signedRequest(OTHER_SECRET)
      const before = example.output().stderr.length
      for (let sent = 0; sent < 300; sent++) {
        expect(await exchange(example.port, [head, body])).toBe(401)
      }
      const { stderr } = await example.stop()
      // One of the examples prints its spans and metrics there.
      return stderr
        .slice(before)
        .split('\n')
        .filter((line) => !/^$|^{"(?!level)/.test(line))
    }

    it.each(['production', undefined])(
      'writes one line for 300 forged deliveries, where NODE_ENV is %s',
      async (environment) => {
        const lines = await printedFor300Forgeries(environment)
        expect(lines).toEqual([expect.stringContaining('401 signature_mismatch')])
      },
    )

    it('writes some of 300 refusals in development, how many it left out, and no stack', async () => {
      const lines = await printedFor300Forgeries('development')
      const refusals = lines.filter((line) => line.includes(' 401 signature_mismatch'))
      const counts = lines.filter((line) => / \d+ more signature_mismatch in /.test(line))
      expect([refusals.length > 0, refusals.length < 300]).toEqual([true, true])
      expect(lines).toHaveLength(refusals.length + counts.length)
    })

    it('takes POST at /webhooks and nothing else', async () => {
      const example = await startExample(directory)
      expect([404, 405]).toContain(await exchange(example.port, [requestHead('GET', '/webhooks')]))
      expect(await exchange(example.port, [requestHead('GET', '/')])).toBe(404)
      expect(await exchange(example.port, [requestHead('POST', '/other')])).toBe(404)
      expect((await example.stop()).stdout).toBe('')
    })

    it('answers 500 where its handler throws, says so on standard error, and lives on', async () => {
      const copy = copyExample(framework, (source) =>
        source.replace(/^( *)console\.log\(/m, `$1${BOOM}\n$&`),
      )
      const example = await startExample(copy)
      const failing = signedRequest(SECRET, { boom: true })
      expect(await exchange(example.port, [failing.head, failing.body])).toBe(500)
      const { head, body, line } = signedRequest(SECRET)
      expect(await exchange(example.port, [head, body])).toBe(204)
      const { stdout, stderr } = await example.stop()
      expect(stdout).toBe(`${line}\n`)
      expect(stderr).toContain('fails on purpose')
    })

    it('does not start without a secret, and says why', async () => {
      const { code, stdout, stderr } = await endOfExample(directory, undefined)
      expect(code).toBeGreaterThan(0)
      expect(stdout).toBe('')
      expect(stderr).toMatch(
        /^TypeError: The secret is undefined: is the variable .* WEBHOOK_SECRET for instance\?$/m,
      )
    })

    it.each(['SIGTERM', 'SIGINT'] as const)('exits 0 on %s', async (signal) => {
      const example = await startExample(directory)
      expect((await example.stop(signal)).code).toBe(0)
    })

    it('answers a delivery that is under way when it is told to stop', async () => {
      const example = await startExample(directory)
      const { head, body, line } = signedRequest(SECRET)
      let ending: ReturnType<typeof example.stop> | undefined
      const status = await exchange(
        example.port,
        [head + body.toString('latin1', 0, 10), body.subarray(10)],
        async () => {
          // The server has to have seen the head: a connection without a request is closed at once.
          await delay(200)
          ending = example.stop()
          await delay(200)
        },
      )
      expect(status).toBe(204)
      expect(await ending).toMatchObject({ code: 0, stdout: `${line}\n` })
    })

    it('cuts off a body that comes a byte at a time', async () => {
      const copy = copyExample(framework, (source) =>
        source.replaceAll('15_000', '1_000').replaceAll('5_000', '100'),
      )
      const example = await startExample(copy)
      const { head, body } = signedRequest(SECRET)
      const bytes = [...body].map((byte) => Buffer.of(byte))
      // The whole body would take a minute.
      const dribbled = exchange(example.port, [head, ...bytes], () => delay(200))
      expect(await dribbled).toBe(408)
      expect((await example.stop()).stdout).toBe('')
    })

    it('compiles by its own tsconfig.json and runs as plain JavaScript', async () => {
      const copy = copyExample(framework)
      compile(copy)
      const example = await startExample(copy, { command: 'node server.js' })
      const { head, body, line } = signedRequest(SECRET)
      expect(await exchange(example.port, [head, body])).toBe(204)
      expect((await example.stop()).stdout).toBe(`${line}\n`)
    })

    it.skipIf(!hasShellTools)('accepts what its README sends', async () => {
      const example = await startExample(directory, { secret: 'whsec_try_me' })
      const env = { ...process.env, PORT: String(example.port) }
      const { stdout } = await promisify(execFile)('sh', ['-ec', readmeCommands(framework)], {
        env,
      })
      expect(stdout).toContain('HTTP/1.1 204')
      expect((await example.stop()).stdout.trimEnd().split('\n')).toHaveLength(1)
    })
  },
)

/** What a test puts into a copy of an example: a handler that fails. */
const BOOM = "if (data.data.boom === true) throw new Error('the handler fails on purpose')"
