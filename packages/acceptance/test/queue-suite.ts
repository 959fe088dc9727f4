import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { eventually } from './eventually.ts'
import {
  compile,
  copyExample,
  endOfExample,
  exampleDirectory,
  type RunningProcess,
  SECRET,
  startExample,
  startWorker,
} from './example.ts'
import { exchange, requestHead, signedRequest } from './wire.ts'

/** An example that accepts deliveries in one process and handles them in another. */
export interface Accepting {
  /** The name of its folder. */
  readonly name: string
  /** Where the service is, and whatever keeps this run apart from others. */
  readonly env: Readonly<Record<string, string>>
  /** The same with a service at which nothing answers. */
  readonly unreachable: Readonly<Record<string, string>>
  /** Makes a copy that leaves the data of others alone, and is quick to take over from a worker that died. */
  readonly rewrite: (source: string) => string
}

/** The tests that both examples with a worker have to pass. */
export function testAccepting({ name, env, unreachable, rewrite }: Accepting): void {
  const copy = (more: (source: string) => string = (source) => source) =>
    copyExample(name, (source) => more(rewrite(source)))
  const serve = (directory: string) => startExample(directory, { env })
  const lines = (worker: RunningProcess) => worker.output().stdout.trimEnd().split('\n').sort()

  async function printed(worker: RunningProcess, wanted: readonly string[]): Promise<void> {
    await eventually(
      () => wanted.every((line) => lines(worker).includes(line)),
      () => JSON.stringify(worker.output(), undefined, 2),
    )
  }

  test('accepts without a worker, and a worker that comes later prints a line for each id', async () => {
    const directory = copy()
    const server = await serve(directory)
    const sent = ['ü \u0000 👋 \ud800', 'two', 'three'].map((text) =>
      signedRequest(SECRET, { text }),
    )
    for (const { head, body } of sent) {
      const answers = Array.from({ length: 5 }, () => exchange(server.port, [head, body]))
      // A copy that meets the first in its transaction is told to come again.
      for (const status of await Promise.all(answers)) expect([204, 503]).toContain(status)
      expect(await exchange(server.port, [head, body])).toBe(204)
    }
    const [one, two] = await Promise.all([startWorker(directory, env), startWorker(directory, env)])
    const wanted = sent.map(({ line }) => line).sort()
    const all = () => `${one.output().stdout}${two.output().stdout}`.trimEnd().split('\n').sort()
    await eventually(() => all().length >= wanted.length)
    await delay(500)
    expect(all()).toEqual(wanted)
    expect((await server.stop()).stdout).toBe('')
    const ends = await Promise.all([one.stop(), two.stop('SIGINT')])
    expect(ends.map(({ code }) => code)).toEqual([0, 0])
  })

  test('a job whose worker is killed in the middle is done by the next one, once', async () => {
    const directory = copy((source) =>
      source.replace(
        'await handle(delivery)',
        "if (process.env.HANG) { console.error('in the middle'); await new Promise((resolve) => setTimeout(resolve, 600_000)) }\n$&",
      ),
    )
    const server = await serve(directory)
    const { head, body, line } = signedRequest(SECRET)
    for (let round = 0; round < 3; round++) {
      if (round === 0) expect(await exchange(server.port, [head, body])).toBe(204)
      const doomed = await startWorker(directory, { ...env, HANG: 'yes' })
      await eventually(() => doomed.output().stderr.includes('in the middle'))
      expect((await doomed.stop('SIGKILL')).stdout).toBe('')
    }
    const worker = await startWorker(directory, env)
    await printed(worker, [line])
    expect(await exchange(server.port, [head, body])).toBe(204)
    await delay(500)
    expect((await worker.stop()).stdout).toBe(`${line}\n`)
    await server.stop()
  })

  test('a handler that throws is run again, and holds up nothing', async () => {
    const directory = copy((source) =>
      source.replace(
        'await handle(delivery)',
        "if (JSON.stringify(delivery).includes('boom') && !Reflect.has(process, 'once1')) { Reflect.set(process, 'once1', true); throw new Error('fails on purpose') }\n$&",
      ),
    )
    const [server, worker] = [await serve(directory), await startWorker(directory, env)]
    const failing = signedRequest(SECRET, { text: 'boom' })
    const { head, body, line } = signedRequest(SECRET)
    expect(await exchange(server.port, [failing.head, failing.body])).toBe(204)
    expect(await exchange(server.port, [head, body])).toBe(204)
    await printed(worker, [line, failing.line])
    const { stdout, stderr } = await worker.stop()
    expect(stdout).toBe(`${line}\n${failing.line}\n`)
    expect(stderr).toContain('fails on purpose')
    await server.stop()
  })

  test('a forged delivery is refused, and other routes are not there', async () => {
    const server = await serve(copy())
    const { head, body } = signedRequest('whsec_ffffffffffffffffffffffffffffffff')
    expect(await exchange(server.port, [head, body])).toBe(401)
    expect(await exchange(server.port, [requestHead('POST', '/other')])).toBe(404)
    const { code, stdout, stderr } = await server.stop()
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' })
    expect(stderr).toContain('401 signature_mismatch')
  })

  test('does not start without a secret, and says why', async () => {
    const { code, stdout, stderr } = await endOfExample(exampleDirectory(name), undefined)
    expect(code).toBeGreaterThan(0)
    expect(stdout).toBe('')
    expect(stderr).toMatch(
      /^TypeError: The secret is undefined: is the variable .* WEBHOOK_SECRET for instance\?$/m,
    )
  })

  test('compiles by its own tsconfig.json and runs as plain JavaScript', async () => {
    const directory = copy()
    compile(directory)
    const server = await startExample(directory, { command: 'node server.js', env })
    const { head, body } = signedRequest(SECRET)
    expect(await exchange(server.port, [head, body])).toBe(204)
    expect((await server.stop()).code).toBe(0)
  })

  test('never answers 2xx where the service cannot be reached from the start', async () => {
    const server = await startExample(copy(), { env: unreachable })
    const { head, body } = signedRequest(SECRET)
    const before = performance.now()
    expect(await exchange(server.port, [head, body])).toBe(503)
    expect(performance.now() - before).toBeLessThan(6000)
    expect(await server.stop()).toMatchObject({ code: 0, stdout: '' })
  })
}
