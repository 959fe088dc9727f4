import { execFileSync, spawnSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { curlCommand } from '../page/copies.ts'
import type { AttemptView } from '../src/delivery-view.ts'

const URL = 'http://localhost:1/?a=[1-9]{x,y}'

/** The command for a request with one header and this body. */
function commandFor(value: string, body: AttemptView['attempt']['body']): string {
  const attempt = { method: 'POST', headers: [['X-Own', value]], body }
  return curlCommand({ url: URL, attempt } as unknown as AttemptView)
}

/** What curl is, so that it prints what it was given: the arguments as they are, and the body in base64. */
const POSIX = `curl() { printf '%s\\0' "$@"; case "$*" in *'@-') base64 | tr -d '\\n';; esac; printf '\\0'; }`
const FISH = `function curl; printf '%s\\0' $argv; if test "$argv[-1]" = '@-'; base64 | tr -d '\\n'; end; printf '\\0'; end`

const SHELLS = Object.entries({
  sh: POSIX,
  dash: POSIX,
  bash: POSIX,
  zsh: POSIX,
  fish: FISH,
}).filter(([shell]) => spawnSync(shell, ['-c', 'exit']).status === 0)

/** What curl gets in a shell from these commands, one after the other. */
function run(shell: string, curl: string, commands: readonly string[]): Buffer {
  const script = [curl, ...commands].join('\n')
  return execFileSync(shell, ['-c', script], {
    // A terminal has UTF-8.
    env: { PATH: process.env.PATH, LANG: 'C.UTF-8' },
    // Bash takes a socket for a remote shell, and reads the settings of the user.
    stdio: ['ignore', 'pipe', 'inherit'],
  })
}

const PIECES = [
  ...["'", '\\', "\\'", "'\\''", '"', '$(touch x)', '`touch x`', '; touch x #', '%s', '%', '\\n'],
  ...['!', '!!', '^a^b', '&', '|', '<', '>', '(', ')', '{a,b}', '*', '?', '~', '$HOME', '@', '#'],
  ...[' ', '\t', '\u0003', '\u001b[201~', '\u007f', '\u0080', '\u009b', 'é', 'ÿ', 'a', '0', '7'],
]

/** Texts of these pieces, always the same. */
function texts(many: number, pieces: readonly string[]): readonly string[] {
  let state = 1
  const next = (below: number) => {
    state = (state * 48_271) % 2_147_483_647
    return state % below
  }
  return Array.from({ length: many }, () =>
    Array.from({ length: 1 + next(12) }, () => pieces[next(pieces.length)]).join(''),
  )
}

it.each(SHELLS)('gives curl the bytes of 200 random headers and bodies in %s', (shell, curl) => {
  const values = texts(200, PIECES)
  const bodies = texts(200, [...PIECES, '\n', '\r', '\0', '🎉', '\uf601', '\ufeff', '\u2028'])
  const commands = values.map((value, index) => commandFor(value, { text: bodies[index] ?? '' }))
  for (const command of commands) expect(command).not.toMatch(/(?!\n)\p{Cc}/u)
  const wanted = values.map((value, index) => {
    const body = Buffer.from(bodies[index] ?? '')
    const encoded = commands[index]?.includes('--data-binary @-')
    const last = encoded ? Buffer.from(`@-\0${body.toString('base64')}`) : `${body}\0`
    return Buffer.concat(
      ['-gi', '-X', 'POST', URL, '-H']
        .map((argument) => Buffer.from(`${argument}\0`))
        .concat(
          Buffer.from(`X-Own: ${value}\0`, 'latin1'),
          Buffer.from(`--data-binary\0${last}\0`),
        ),
    )
  })
  expect(run(shell, curl, commands).toString('latin1')).toBe(
    Buffer.concat(wanted).toString('latin1'),
  )
})

it.each([
  ["it's", "'it'\\''s'"],
  ['\\', "''\\\\''"],
  ["\\'; touch x #", "''\\\\''\\''; touch x #'"],
  ['$(id)', "'$(id)'"],
])('quotes %j as %j, which means the same in POSIX shells and in fish', (text, quoted) => {
  const command = commandFor('', { text })
  expect(command).toBe(`curl -gi -X POST '${URL}' \\\n  -H 'X-Own;' \\\n  --data-binary ${quoted}`)
})

it.each([
  ["it's", "'X-Own: it'\\''s'"],
  ['a\tb', `"$(printf 'X-Own: a\\011b')"`],
  ['é 5% \\ !', `"$(printf 'X-Own: \\351 5%% \\134 \\041')"`],
  ["\u009b'", `"$(printf 'X-Own: \\233\\047')"`],
])('writes the header %j as %s', (value, header) => {
  expect(commandFor(value, { text: '' })).toContain(`-H ${header} \\\n`)
})

it('copies a body of 200,000 control characters, and one that curl would take for a file', () => {
  for (const text of ['\r'.repeat(200_000), '@/etc/passwd'])
    expect(commandFor('', { text })).toContain(Buffer.from(text).toString('base64'))
})
