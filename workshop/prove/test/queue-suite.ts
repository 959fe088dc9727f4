import { setTimeout as delay } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { scriptArguments } from '../example.mjs'
import { type Program, startProgram } from '../program.mjs'
import { exchange, requestHead } from '../wire.mjs'
import {
  copyExample,
  SECRET,
  signedRequest,
  startCompiled,
  startExample,
  startWorker,
} from './example.ts'

/** An example that accepts deliveries in one process and handles them in another. */
interface QueueExample {
  readonly name: string
  readonly service: string
  /** The environment with the address of the service, or of a proxy to it. */
  readonly envOf: (address: string) => Readonly<Record<string, string>>
  /** Called for each copy: leaves the data of others alone. */
  readonly rewrite: () => (source: string) => string
  /** What to replace by what, so that a delivery is a dead letter after two attempts. */
  readonly fewerAttempts: readonly [from: string, to: string]
}

// The default is a second.
const WAIT = { interval: 20, timeout: 120_000 }

/** Waits until a worker has printed these lines, in any order. */
async function expectPrinted(worker: Program, wanted: readonly string[]): Promise<void> {
  await vi.waitFor(
    () =>
      expect(worker.output().stdout.split('\n'), worker.output().stderr).toEqual(
        expect.arrayContaining([...wanted]),
      ),
    WAIT,
  )
}

/** What the command of an example for dead letters prints. */
async function runDeadLetters(
  folder: string,
  env: Readonly<Record<string, string>>,
  ...args: readonly string[]
): Promise<{ readonly error: string }[]> {
  const command = [...scriptArguments(folder, 'dead-letters'), ...args]
  const { code, stdout, stderr } = await startProgram(process.execPath, command, {
    cwd: folder,
    env,
  }).ended
  expect(code, stderr).toBe(0)
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))
}

/** The tests that both examples with a worker have to pass. */
export function describeQueueExample({
  name,
  service,
  envOf,
  rewrite,
  fewerAttempts,
}: QueueExample): void {
  const env = envOf(service)
  const copy = (change = (source: string) => source) => {
    const own = rewrite()
    return copyExample(name, (source) => change(own(source)))
  }
  const inHandler = (code: string, change = (source: string) => source) =>
    copy((source) => change(source.replace('await handle(delivery', `${code}\n$&`)))
  const serve = (folder: string) => startExample(folder, { env })

  test('accepts without a worker, and a worker that comes later prints a line for each id', async () => {
    const folder = copy()
    const server = await serve(folder)
    const sent = ['ü \u0000 👋 \ud800', 'two', 'three'].map((text) =>
      signedRequest(SECRET, { text }),
    )
    for (const { head, body } of sent) {
      const statuses = Array.from({ length: 5 }, () => exchange(server.port, [head, body]))
      // A copy that meets the first in its transaction is told to come again.
      for (const status of await Promise.all(statuses)) expect([204, 503]).toContain(status)
      expect(await exchange(server.port, [head, body])).toBe(204)
    }
    const workers = await Promise.all([startWorker(folder, env), startWorker(folder, env)])
    const wanted = sent.map(({ line }) => line).sort()
    const all = () =>
      workers.flatMap((worker) => worker.output().stdout.trimEnd().split('\n')).filter(Boolean)
    await vi.waitFor(() => expect(all()).toHaveLength(wanted.length), WAIT)
    await delay(500)
    expect(all().sort()).toEqual(wanted)
    expect((await server.stop()).stdout).toBe('')
    const [one, two] = workers
    const ends = await Promise.all([one.stop(), two.stop('SIGINT')])
    expect(ends.map(({ code }) => code)).toEqual([0, 0])
  })

  test('a handler that throws is run again, before what came later in its conversation', async () => {
    const folder = inHandler(
      "if (JSON.stringify(delivery).includes('boom') && !Reflect.has(process, 'failed')) { Reflect.set(process, 'failed', true); throw new Error('fails on purpose') }",
    )
    const [server, worker] = [await serve(folder), await startWorker(folder, env)]
    const failing = signedRequest(SECRET, { text: 'boom' })
    const { head, body, line } = signedRequest(SECRET)
    expect(await exchange(server.port, [failing.head, failing.body])).toBe(204)
    expect(await exchange(server.port, [head, body])).toBe(204)
    await expectPrinted(worker, [failing.line, line])
    const { stdout, stderr } = await worker.stop()
    expect(stdout).toBe(`${failing.line}\n${line}\n`)
    expect(stderr).toContain('fails on purpose')
    await server.stop()
  })

  test('a poison delivery is a dead letter in the end, and is handled after a redrive', async () => {
    const poison =
      "if (JSON.stringify(delivery).includes('boom') && !process.env.CURED) throw new Error('poison \\0 \\ud800')"
    const folder = copy((source) =>
      source.replace('await handle(delivery', `${poison}\n$&`).replace(...fewerAttempts),
    )
    const [server, worker] = [await serve(folder), await startWorker(folder, env)]
    const failing = signedRequest(SECRET, { text: 'boom' })
    const { head, body, line } = signedRequest(SECRET)
    expect(await exchange(server.port, [failing.head, failing.body])).toBe(204)
    expect(await exchange(server.port, [head, body])).toBe(204)
    await expectPrinted(worker, [line])
    expect((await worker.stop()).stdout).toBe(`${line}\n`)
    expect(await runDeadLetters(folder, env)).toEqual([
      expect.objectContaining({ error: expect.stringContaining('poison') }),
    ])

    const cured = await startWorker(folder, { ...env, CURED: 'yes' })
    expect(await runDeadLetters(folder, env, 'redrive')).toHaveLength(1)
    await expectPrinted(cured, [failing.line])
    expect((await cured.stop()).stdout).toBe(`${failing.line}\n`)
    expect(await runDeadLetters(folder, env)).toEqual([])
    await server.stop()
  })

  test('compiles by its own tsconfig.json; as plain JavaScript it rejects a forged delivery, and has no other routes', async () => {
    const server = await startCompiled(copy(), { env })
    const { head, body } = signedRequest(SECRET)
    const forged = signedRequest('whsec_other')
    expect(await exchange(server.port, [head, body])).toBe(204)
    expect(await exchange(server.port, [forged.head, forged.body])).toBe(401)
    expect(await exchange(server.port, [requestHead({}, 'POST', '/other')])).toBe(404)
    const { code, stdout, stderr } = await server.stop()
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' })
    expect(stderr).toContain('401 signature_mismatch')
  })
}
