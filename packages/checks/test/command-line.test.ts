import { spawnSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'

const USAGE = 'npm run it -- [options]'

const SCRIPT = `
import * as line from ${JSON.stringify(new URL('../command-line.mjs', import.meta.url).href)}
const options = {
  adapter: line.oneOrAll(['red', 'blue'], ['naive']),
  runs: line.wholeNumber(3, { least: 2, most: 20 }),
  minutes: line.number(10, { least: 0.5 }),
  sizes: line.listOf(line.wholeNumber(), [256]),
  file: line.repeated(line.text(), []),
  short: line.flag(),
}
const sections = line.oneOf(['verdict', 'http'])
console.log(JSON.stringify(line.readCommandLine(${JSON.stringify(USAGE)}, options, sections)))`

/** What a script with these options does when it gets these arguments. */
function run(...args: string[]) {
  const command = ['--input-type=module', '-e', SCRIPT, '--', ...args]
  const { status, stdout, stderr } = spawnSync(process.execPath, command, { encoding: 'utf8' })
  return { status, stdout, stderr }
}

describe('the command line of a script', () => {
  it('gives the fallback of what was not given', () => {
    expect(JSON.parse(run().stdout)).toEqual({
      ...{ adapter: ['red', 'blue'], runs: 3, minutes: 10, sizes: [256] },
      ...{ file: [], short: false, positionals: [] },
    })
  })

  it('reads what was given', () => {
    const given =
      '--adapter=naive --runs=20 --minutes=.5 --sizes=1,2 --file=a --file=b --short http'
    expect(JSON.parse(run(...given.split(' ')).stdout)).toEqual({
      ...{ adapter: ['naive'], runs: 20, minutes: 0.5, sizes: [1, 2] },
      ...{ file: ['a', 'b'], short: true, positionals: ['http'] },
    })
  })

  it('leaves out of all what is asked for by name only', () => {
    expect(JSON.parse(run('--adapter=all').stdout).adapter).toEqual(['red', 'blue'])
  })

  it('prints the usage and exits with 0 for --help', () => {
    expect(run('--help', '--runs=x')).toEqual({ status: 0, stdout: `${USAGE}\n`, stderr: '' })
  })

  it.each([
    ['--adapter=rde', '--adapter should be one of red, blue, naive, all; got "rde".'],
    ['--runs=1', '--runs should be a whole number from 2 to 20; got "1".'],
    ['--runs=02', '--runs should be a whole number from 2 to 20; got "02".'],
    ['--minutes=0.4', '--minutes should be a number from 0.5 to 999999999; got "0.4".'],
    [
      '--sizes=1,x',
      '--sizes should be a whole number from 1 to 999999999, or several with commas between; got "1,x".',
    ],
    ['htpt', 'An argument should be one of verdict, http; got "htpt".'],
    ['--adaptor=red', "Unknown option '--adaptor'"],
    ['--runs=3 --runs=4', '--runs is given more than once.'],
    ['--runs', "Option '--runs <value>' argument missing"],
  ])('rejects %s, says why above the usage and exits with 1', (argument, reason) => {
    const { status, stdout, stderr } = run(...argument.split(' '))
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' })
    expect(stderr.startsWith(reason)).toBe(true)
    expect(stderr.endsWith(`\n\n${USAGE}\n`)).toBe(true)
  })
})
