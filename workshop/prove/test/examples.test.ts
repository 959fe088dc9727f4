import { execFile, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, describe, expect, test } from 'vitest'
import { isChanged } from '../changed.mjs'
import { exampleFolder } from '../example.mjs'
import { EXAMPLES, PART } from '../lists.mjs'
import { stopPrograms } from '../program.mjs'
import { exchange, requestHead } from '../wire.mjs'
import { copyExample, SECRET, signedRequest, startCompiled, startExample } from './example.ts'

const hasShellTools =
  process.platform !== 'win32' &&
  ['openssl version', 'curl --version', 'sh -c :'].every((command) => {
    const [program = '', ...args] = command.split(' ')
    return spawnSync(program, args).status === 0
  })

afterAll(() => stopPrograms('SIGKILL'))

describe.each(EXAMPLES)('the %s example', (name) => {
  test('handles each id once, however many copies come, rejects the rest, and accepts what its README sends', async () => {
    const example = await startExample(name, { secret: README_SECRET })
    const statusOf = (...parts: readonly (string | Uint8Array)[]) => exchange(example.port, parts)
    const [first, second] = [signedRequest(README_SECRET), signedRequest(README_SECRET)]
    const copies = await Promise.all(
      Array.from({ length: 20 }, () => statusOf(first.head, first.body)),
    )
    // One that comes while another is handled is told to come again.
    expect(copies).toContain(204)
    expect(copies.filter((status) => status !== 204 && status !== 503)).toEqual([])
    expect(await statusOf(first.head, first.body)).toBe(204)
    expect(await statusOf(second.head, second.body)).toBe(204)

    const forged = signedRequest('whsec_ffffffffffffffffffffffffffffffff')
    expect(await statusOf(forged.head, forged.body)).toBe(401)
    expect([404, 405]).toContain(await statusOf(requestHead({}, 'GET', '/webhooks')))
    expect(await statusOf(requestHead({}, 'GET', '/'))).toBe(404)
    expect(await statusOf(requestHead({}, 'POST', '/other'))).toBe(404)

    const lines = [first.line, second.line]
    if (hasShellTools) {
      const env = { ...process.env, PORT: String(example.port) }
      const shell = await promisify(execFile)('sh', ['-ec', readmeCommands(name)], { env })
      expect(shell.stdout).toContain('HTTP/1.1 204')
      lines.push(expect.stringContaining('7d7c2a52-3c55-4b0e-9d0a-3b1f0e6f5a11'))
    }
    const { stdout, stderr } = await example.stop()
    expect(stdout.split('\n')).toEqual([...lines, ''])
    expect(stderr).toContain('401 signature_mismatch')
  })
})

/** With PART, one, and those that this change touches: the types of all are checked with those of the tests. */
const COMPILED = EXAMPLES.filter(
  (name) => !PART || name === 'express' || isChanged(`examples/${name}/`),
)

describe.each(COMPILED)('the %s example', (name) => {
  test('compiles by its own tsconfig.json; as plain JavaScript it responds with 500 where its handler throws, prints why, and lives on', async () => {
    const copy = copyExample(name, (source) =>
      source.replace(/^( *)console\.log\(/m, `$1${THROW}\n$&`),
    )
    const example = await startCompiled(copy)
    const failing = signedRequest(SECRET, { boom: true })
    expect(await exchange(example.port, [failing.head, failing.body])).toBe(500)
    const { head, body, line } = signedRequest(SECRET)
    expect(await exchange(example.port, [head, body])).toBe(204)
    const { stdout, stderr } = await example.stop()
    expect(stdout).toBe(`${line}\n`)
    expect(stderr).toContain('fails on purpose')
  })
})

/** That of the READMEs. */
const README_SECRET = 'whsec_made_up_secret_for_tests'

/** What a test puts into a copy of an example: a handler that fails. */
const THROW = "if (Object(data.data).boom === true) throw new Error('the handler fails on purpose')"

/** The shell commands of an example's README that send a delivery. */
function readmeCommands(example: string): string {
  const readme = readFileSync(join(exampleFolder(example), 'README.md'), 'utf8')
  const blocks = [...readme.matchAll(/```sh\n(.*?)```/gs)].map(([, block]) => block ?? '')
  return blocks.find((block) => block.includes('curl')) ?? ''
}
