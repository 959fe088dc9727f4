import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, describe, expect, test } from 'vitest'
import { isChanged } from '../changed.mjs'
import { EXAMPLES, PART } from '../lists.mjs'
import { stopPrograms } from '../program.mjs'
import { exchange } from '../wire.mjs'
import { copyExample, SECRET, signedRequest, startExample, startWithoutSecret } from './example.ts'
import { openConnection, untilRefused } from './keep-alive.ts'

/** With PART, two that stop in different ways, and those that this change touches. */
const SERVERS = EXAMPLES.filter(
  (name) => !PART || ['express', 'nestjs'].includes(name) || isChanged(`examples/${name}/`),
)

afterAll(() => stopPrograms('SIGKILL'))

test.each([...SERVERS, 'bullmq', 'postgres-inbox', 'services'])(
  'the %s example does not start without a secret, and prints why',
  async (name) => {
    const { code, stdout, stderr } = await startWithoutSecret(name)
    expect(code).toBeGreaterThan(0)
    expect(stdout).toBe('')
    expect(stderr).toMatch(
      // Nest logs it.
      /^(?:\[Nest\].* )?TypeError: The secret (?:of the endpoint "stripe" )?is undefined: is its environment variable set\?$/m,
    )
  },
)

describe.each(SERVERS)('the %s example', (name) => {
  test('responds to a delivery that is under way when it is told to stop', async () => {
    const example = await startExample(name)
    const { head, body, line } = signedRequest(SECRET)
    async function* parts() {
      yield head + body.toString('latin1', 0, 10)
      // The server has to have seen the head: a connection without a request is closed at once.
      await delay(200)
      // The other test of a stop sends SIGTERM.
      example.child.kill('SIGINT')
      await delay(200)
      yield body.subarray(10)
    }
    expect(await exchange(example.port, parts())).toBe(204)
    expect(await example.ended).toMatchObject({ code: 0, stdout: `${line}\n` })
  })

  test('takes no delivery on the connections of a proxy when it was told to stop, and ends by itself', async () => {
    // Nothing but the responses may close the connections.
    const copy = copyExample(name, (source) => source.replace('5000)', '3_600_000)'))
    const example = await startExample(copy)
    const proxy = [await openConnection(example.port), await openConnection(example.port)]
    for (const connection of proxy) await connection.begin()
    example.child.kill('SIGTERM')
    await untilRefused(example.port)
    await Promise.all(proxy.map(({ finish }) => finish()))
    const responses = await Promise.all(proxy.map(({ goOn }) => goOn()))
    const { code, stdout } = await example.ended
    expect(responses.map(([first]) => first)).toEqual([204, 204])
    for (const [, ...later] of responses) {
      expect(later.filter((status) => status < 300)).toEqual([])
      expect(later.length).toBeLessThan(2)
    }
    expect(code).toBe(0)
    expect(stdout.split('\n').filter(Boolean)).toHaveLength(2)
  })

  test('cuts off a body that comes a byte at a time', async () => {
    const copy = copyExample(name, (source) =>
      source.replaceAll('15_000', '1_000').replaceAll('5_000', '100'),
    )
    const example = await startExample(copy)
    const { head, body } = signedRequest(SECRET)
    // The whole body would take a minute.
    async function* parts() {
      yield head
      for (const byte of body) {
        await delay(200)
        yield Uint8Array.of(byte)
      }
    }
    expect(await exchange(example.port, parts())).toBe(408)
    expect((await example.stop()).stdout).toBe('')
  })
})
