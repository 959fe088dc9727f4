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
    [['send', 'message.read', 'nowhere'], /It should be a URL/],
    [['send', 'message.read', 'http://u:p@localhost/'], /not contain a user name/],
    [['send', 'message.read', 'ftp://localhost/'], /It should be a URL/],
    [['send', 'message.read', 'http://localhost/', '--tamper', 'all'], /Allowed choices are body/],
    [['send', 'message.read', 'http://localhost/', '--timeout', '0'], /number above 0/],
    [['listen', '--port', '70000'], /whole number from 0 to 65535/],
    [['listen', '--tolerance', 'long'], /seconds from 0/],
    [['emulate', '--faults', 'duplicate,restart'], /"restart" is not one of: duplicate/],
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
    [['register'], /required option '--url <url>'/],
  ])('%j ends with 2', async (args, message) => {
    const { code, out, err } = await invoke(args)
    expect(code).toBe(2)
    expect(out).toBe('')
    expect(err).toMatch(message)
  })
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
