import { isDeepStrictEqual, parseEnv } from 'node:util'
import { parse } from 'dotenv'
import { describe, expect, it } from 'vitest'
import { UsageError } from '../src/console/failure.ts'
import { withVariable } from '../src/secret/env-text.ts'

const NAME = 'WEBHOOK_SECRET'
const VALUE = 'whsec_new-1'
const ROUNDS = 5000

const edited = (text: string, force = true, value = VALUE) =>
  withVariable(text, NAME, value, { path: '.env', force })

describe('a multi-line value of another variable', () => {
  it.each([
    ['KEY="-----BEGIN\nWEBHOOK_SECRET=\n-----END"\n'],
    ["KEY='a\nWEBHOOK_SECRET=\nb'\n"],
    ['KEY=`a\nexport WEBHOOK_SECRET=\n"b"`\n'],
    ['export KEY = "a\r\nWEBHOOK_SECRET=\r\n" # note\r\n'],
    ['A="x"\nKEY="it\'s\nWEBHOOK_SECRET=whsec_old\n"\nB=1\n'],
  ])('keeps its bytes: %j', (text) => {
    const end = text.includes('\r') ? '\r\n' : '\n'
    expect(edited(text)).toBe(`${text}${NAME}=${VALUE}${end}`)
  })

  it('is left alone where the variable is set behind it', () => {
    const start = 'KEY="a\nWEBHOOK_SECRET=\n"\n'
    expect(edited(`${start}WEBHOOK_SECRET=old # note\nB=1`)).toBe(
      `${start}WEBHOOK_SECRET=${VALUE}\nB=1`,
    )
    expect(() => edited(`${start}WEBHOOK_SECRET=old\n`, false)).toThrow('already')
  })

  it('does not count as a second value', () => {
    expect(edited('WEBHOOK_SECRET=\nKEY="a\nWEBHOOK_SECRET=\n"\n', false)).toBe(
      `WEBHOOK_SECRET=${VALUE}\nKEY="a\nWEBHOOK_SECRET=\n"\n`,
    )
  })

  it.each([
    // Node ends the first value at the escaped quote, dotenv behind it.
    ['KEY="a\\"\nWEBHOOK_SECRET=\n"\n'],
    ['KEY=\n"a\nWEBHOOK_SECRET=\n"\n'],
  ])('is not touched where readers disagree about its end: %j', (text) => {
    expect(() => edited(text)).toThrow(UsageError)
    expect(() => edited(text)).toThrow('an unclosed quote')
  })

  it('keeps its value where only the last line is right for each reader', () => {
    // For dotenv a quote with something behind it ends nothing.
    const text = 'KEY="a\nWEBHOOK_SECRET=\n" b\n'
    expect(fault(text, edited(text))).toBeUndefined()
  })

  it('of the variable itself is not replaced', () => {
    expect(() => edited('WEBHOOK_SECRET="a\nb"\n')).toThrow('spans several lines')
  })
})

/** Numbers from 0 up to `count`, the same ones each time. */
function drawing(seed: number): (count: number) => number {
  let state = seed
  return (count) => {
    state = (state * 48_271) % 2_147_483_647
    return state % count
  }
}

const draw = drawing(20_260_101)
const oneOf = <Item>(items: readonly [Item, ...Item[]]): Item =>
  items[draw(items.length)] ?? items[0]
const times = (most: number, make: () => string) =>
  Array.from({ length: draw(most + 1) }, make).join('')

const LINES = [
  `${NAME}=`,
  `${NAME} = "old"`,
  `export ${NAME}=old`,
  `MY_${NAME}=1`,
  '# note "',
  '',
  'B=1',
  'text # x',
] as const

/** A file without a mistake, as people write it. */
function soundFile(newline: string): string {
  let names = 0
  const line = () => {
    const quote = oneOf(['"', "'", '`'] as const)
    const others = `"'\``.replace(quote, '')
    const pieces = [...LINES, others, 'x=y', '#', '\\n'] as const
    const value = times(4, () => oneOf(pieces).replaceAll(quote, '') + newline)
    const name = `${oneOf(['', 'export '] as const)}V${names++}`
    return oneOf([
      `${name}=${quote}${value}${quote}${oneOf(['', ' # note'] as const)}${newline}`,
      `${name}=plain${newline}`,
      `# ${others}${newline}`,
      newline,
    ] as const)
  }
  const own = () =>
    `${oneOf(['', 'export '] as const)}${NAME}=${oneOf(['', "''", 'old', '"o"'] as const)}${newline}`
  return times(4, line) + (draw(2) === 0 ? own() : '') + times(4, line)
}

/** Any text of the characters that matter. */
function anyFile(): string {
  const piece = () =>
    oneOf([
      ...LINES,
      '\n',
      '\n',
      '\n',
      '\r\n',
      '"',
      "'",
      '`',
      '\\',
      '=',
      '#',
      ' ',
      'a',
      'C="',
      ': ',
    ])
  return times(14, piece)
}

/** What is wrong with an edit, by the parsers that programs use. */
function fault(before: string, after: string): string | undefined {
  for (const [reader, read] of [
    ['node', parseEnv],
    ['dotenv', parse],
  ] as const) {
    // Node 22 and later read `export` as part of a name whose value is empty at the end of a file.
    const { [`export ${NAME}`]: _, ...variables } = read(before)
    const wanted = { ...variables, [NAME]: VALUE }
    if (!isDeepStrictEqual({ ...read(after) }, wanted)) return `${reader} reads something else`
  }
  const lines = before.split('\n')
  const changed = after.split('\n').filter((line, index) => line !== lines[index])
  const own = changed.filter((line) => line.includes(`${NAME}`) && line.includes(VALUE))
  if (own.length !== 1) return 'the line of the variable is not there once'
  return undefined
}

describe(`of ${ROUNDS} files, one that is edited`, () => {
  it('is never rejected where it is sound, and reads as before but for the variable', () => {
    for (let round = 0; round < ROUNDS; round++) {
      const text = soundFile(oneOf(['\n', '\r\n'] as const))
      expect([text, fault(text, edited(text))]).toEqual([text, undefined])
    }
  })

  it('reads as before but for the variable, or is rejected, whatever is in it', () => {
    let rejected = 0
    for (let round = 0; round < ROUNDS; round++) {
      const text = anyFile()
      try {
        expect([text, fault(text, edited(text))]).toEqual([text, undefined])
      } catch (error) {
        if (!(error instanceof UsageError)) throw error
        rejected += 1
      }
    }
    expect(rejected).toBeLessThan(ROUNDS / 2)
  })
})
