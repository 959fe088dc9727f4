import { execFile, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, describe, expect, test } from 'vitest'
import { exampleFolder } from '../example.mjs'
import { EXAMPLES } from '../lists.mjs'
import { stopPrograms } from '../program.mjs'
import { exchange, requestHead } from '../wire.mjs'
import { copyExample, SECRET, signedRequest, startCompiled, startExample } from './example.ts'

const OTHER_SECRET = 'whsec_ffffffffffffffffffffffffffffffff'

const hasShellTools =
  process.platform !== 'win32' &&
  ['openssl version', 'curl --version', 'sh -c :'].every((command) => {
    const [program = '', ...args] = command.split(' ')
    return spawnSync(program, args).status === 0
  })

afterAll(() => stopPrograms('SIGKILL'))

describe.each(EXAMPLES)('the %s example', (name) => {
  test('responds with 204 to a valid delivery and prints one line for each id, however many copies come', async () => {
    const example = await startExample(name)
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

  test('responds with 401 to a forged delivery, takes POST at /webhooks only, and prints nothing', async () => {
    const example = await startExample(name)
    const { head, body } = signedRequest(OTHER_SECRET)
    expect(await exchange(example.port, [head, body])).toBe(401)
    const statusOf = (method: string, path: string) =>
      exchange(example.port, [requestHead({}, method, path)])
    expect([404, 405]).toContain(await statusOf('GET', '/webhooks'))
    expect(await statusOf('GET', '/')).toBe(404)
    expect(await statusOf('POST', '/other')).toBe(404)
    const { stdout, stderr } = await example.stop()
    expect(stdout).toBe('')
    expect(stderr).toContain('401 signature_mismatch')
  })

  test('responds with 500 where its handler throws, prints why on standard error, and lives on', async () => {
    const copy = copyExample(name, (source) =>
      source.replace(/^( *)console\.log\(/m, `$1${THROW}\n$&`),
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

  test('compiles by its own tsconfig.json and runs as plain JavaScript', async () => {
    const example = await startCompiled(copyExample(name))
    const { head, body, line } = signedRequest(SECRET)
    expect(await exchange(example.port, [head, body])).toBe(204)
    expect((await example.stop()).stdout).toBe(`${line}\n`)
  })

  test.skipIf(!hasShellTools)('accepts what its README sends', async () => {
    const example = await startExample(name, { secret: 'whsec_try_me' })
    const env = { ...process.env, PORT: String(example.port) }
    const { stdout } = await promisify(execFile)('sh', ['-ec', readmeCommands(name)], { env })
    expect(stdout).toContain('HTTP/1.1 204')
    expect((await example.stop()).stdout.trimEnd().split('\n')).toHaveLength(1)
  })
})

/** What a test puts into a copy of an example: a handler that fails. */
const THROW = "if (data.data.boom === true) throw new Error('the handler fails on purpose')"

/** The shell commands of an example's README that send a delivery. */
function readmeCommands(example: string): string {
  const readme = readFileSync(join(exampleFolder(example), 'README.md'), 'utf8')
  const blocks = [...readme.matchAll(/```sh\n(.*?)```/gs)].map(([, block]) => block ?? '')
  return blocks.find((block) => block.includes('curl')) ?? ''
}
