import { describe, expect, it } from 'vitest'
import { invoke } from './invoke.ts'

const COMMANDS = ['emulate', 'send', 'listen', 'replay', 'verify', 'register']

describe('help', () => {
  it.each(COMMANDS)('of %s is as recorded', async (command) => {
    const { code, out, err } = await invoke([command, '--help'])
    expect(code).toBe(0)
    expect(err).toBe('')
    await expect(out).toMatchFileSnapshot(`golden/${command}.txt`)
  })

  it.each([...COMMANDS, 'doctor'])('of %s has examples and fits on a screen', async (command) => {
    const { code, out } = await invoke([command, '--help'])
    expect(code).toBe(0)
    expect(out).toMatch(/--json/)
    expect(out).toMatch(/Examples?:\n {2}\$ webhook-receiver /)
    expect(out.split('\n').length).toBeLessThan(50)
  })

  it('of the program lists every command and the exit codes', async () => {
    const { code, out } = await invoke(['--help'])
    expect(code).toBe(0)
    for (const command of [...COMMANDS, 'doctor']) expect(out).toContain(`\n  ${command} `)
    expect(out).toContain('Exit codes: 0')
  })
})

describe('a wrong command line', () => {
  it.each([
    [[], /Usage: webhook-receiver/],
    [['dance'], /unknown command 'dance'/],
    [['send'], /missing required argument 'event'/],
    [['send', 'message.read', 'nowhere'], / is not a URL that begins with http/],
    [['send', 'message.read', 'http://u:p@localhost/'], /not contain a user name/],
    [['send', 'message.read', 'ftp://localhost/'], / is not a URL that begins with http/],
    [['send', 'message.read', 'http://localhost/', '--tamper', 'all'], /Allowed choices are body/],
    [['send', 'message.read', 'http://localhost/', '--timeout', '0'], /number above 0/],
    [['listen', '--port', '70000'], /whole number from 0 to 65535/],
    [['listen', '--tolerance', 'long'], /seconds from 0/],
    [['emulate', '--faults', 'duplicate,crash'], /"crash" is not one of: duplicate/],
    [['emulate', '--fault-rate', '2'], /from 0 to 1/],
    [['emulate', '--retries', '1,soon'], /It should be seconds/],
    [['emulate', '--events', 'message.received,'], /separated by commas/],
    [['emulate', '--events', 'message.received'], /^--events .* add --forward/],
    [['emulate', '--secret-file', 'secret'], /^--secret-file .* add --forward/],
    [['emulate', '--dotenv', '.env'], /^--dotenv .* add --forward/],
    [['emulate', '--show-secret'], /^--show-secret .* add --forward/],
    [['replay', 'capture.json'], /then the URL/],
    [['replay', 'capture.json', 'http://localhost/', '--pace', 'slow'], /"original", "none"/],
    [['verify'], /Name one or more captures/],
    [['register'], /^Missing:\n {2}--url/],
  ])('%j ends with 2', async (args, message) => {
    const { code, out, err } = await invoke(args)
    expect(code).toBe(2)
    expect(out).toBe('')
    expect(err).toMatch(message)
  })
})

describe('an option', () => {
  const send = ['send', 'message.read', 'http://localhost:1/']

  it.each([
    [
      [...send, '--timeout', '1', '--timeout', '2'],
      /^--timeout is given more than once: use it once\.$/m,
    ],
    [[...send, '--tamper', 'body', '--tamper=secret'], /^--tamper is given more than once/],
    [['listen', '--port', '0', '--port', '0'], /^--port is given more than once/],
    [
      ['listen', '--secret-env', 'A', '--secret-env', 'B'],
      /once, with commas between the names\.$/m,
    ],
    [['register', '--url', 'https://a', '--url', 'https://b'], /^--url is given more than once/],
  ])('that is repeated does not win: %j', async (args, message) => {
    expect(await invoke(args)).toMatchObject({ code: 2, err: expect.stringMatching(message) })
  })

  it('without a value may be repeated', async () => {
    expect((await invoke([...send, '--json', '--json'])).json).toHaveLength(1)
  })

  it.each([
    [
      [...send, '--secret', 'x'],
      /^There is no --secret: .* WEBHOOK_SECRET, or use --secret-file\.$/m,
    ],
    [[...send, '--secret=x'], /^There is no --secret: /],
    [['register', '--api-key', 'x'], /^There is no --api-key: .* WEBHOOK_API_KEY/],
  ])('for a secret does not exist, and what does is named: %j', async (args, message) => {
    const { code, err } = await invoke(args)
    expect([code, err]).toEqual([2, expect.stringMatching(message)])
    expect(err).not.toContain('unknown option')
  })
})

it('names all arguments where one is missing', async () => {
  const { err } = await invoke(['send', 'message.read'])
  expect(err).toContain('Usage: webhook-receiver send [options] <event> <url>')
})

it('tells its version', async () => {
  const { code, out } = await invoke(['--version'])
  expect(code).toBe(0)
  expect(out).toMatch(/^\d+\.\d+\.\d+\n$/)
})

it('reports its own bugs, and ends with 1', async () => {
  const { code, err } = await invoke(['send', 'message.read', 'http://localhost:1/'], {
    now: () => Number.NaN,
  })
  expect(code).toBe(1)
  expect(err).toContain('a bug in webhook-receiver')
})
