import { Writable } from 'node:stream'

// biome-ignore lint/suspicious/noControlCharactersInRegex: a terminal is steered with them.
const SEQUENCE = /\u001b\[\d*(?:;\d+)*[A-Za-z]|./gsu

/** A terminal that understands the few sequences we use, keeps what scrolls off, and wraps again when it is resized. */
export class Screen extends Writable {
  readonly isTTY = true
  columns: number
  rows: number
  /** Each line as it is on the screen, and whether it goes on in the next one. */
  #lines: { text: string; wrapped: boolean }[] = [{ text: '', wrapped: false }]
  #cursor = { line: 0, column: 0 }
  /** The first line that is still on the screen. */
  #top = 0

  constructor(columns: number, rows: number) {
    super({ decodeStrings: false })
    this.columns = columns
    this.rows = rows
  }

  override _write(text: string | Buffer, _encoding: string, done: () => void): void {
    for (const [part] of text.toString().matchAll(SEQUENCE)) this.#obey(part)
    done()
  }

  /** All lines, those that scrolled off included, as they were before the terminal wrapped them. */
  lines(): readonly string[] {
    const text = this.#lines.map(({ text, wrapped }) => (wrapped ? text : `${text}\n`)).join('')
    return text.replace(/\n+$/, '').split('\n')
  }

  resize(columns: number, rows: number): void {
    const before = this.#lines.slice(0, this.#cursor.line)
    const logical = (lines: readonly { text: string; wrapped: boolean }[]) =>
      lines.map(({ text, wrapped }) => (wrapped ? text : `${text}\n`)).join('')
    const above = logical(before)
    const below = logical(this.#lines.slice(this.#cursor.line)).replace(/\n$/, '')
    Object.assign(this, { columns, rows })
    this.#lines = wrap(above, columns)
    this.#cursor.line = this.#lines.length - 1
    this.#lines.splice(-1, 1, ...wrap(below, columns))
    this.#top = Math.max(0, this.#lines.length - rows)
  }

  #obey(part: string): void {
    const [, count, command] = /^.\[(.*)(\D)$/.exec(part) ?? []
    if (command === 'm') return
    if (command === 'A') {
      this.#cursor.line = Math.max(this.#top, this.#cursor.line - Number(count))
    } else if (command === 'J' && count === '0') {
      this.#lines.length = this.#cursor.line + 1
      this.#line().text = this.#line().text.slice(0, this.#cursor.column)
      this.#line().wrapped = false
    } else if (part === '\n') {
      this.#down(false)
    } else if (/^\P{Cc}$/u.test(part)) {
      if (this.#cursor.column === this.columns) this.#down(true)
      const { text } = this.#line()
      const { column } = this.#cursor
      this.#line().text = text.slice(0, column).padEnd(column) + part + text.slice(column + 1)
      this.#cursor.column += 1
    } else {
      throw new Error(`This terminal does not know ${JSON.stringify(part)}.`)
    }
  }

  #line() {
    const line = this.#lines[this.#cursor.line]
    if (line === undefined) throw new Error('The cursor is nowhere.')
    return line
  }

  #down(wrapped: boolean): void {
    this.#line().wrapped = wrapped
    this.#cursor = { line: this.#cursor.line + 1, column: 0 }
    this.#lines[this.#cursor.line] ??= { text: '', wrapped: false }
    this.#top = Math.max(this.#top, this.#cursor.line - this.rows + 1)
  }
}

function wrap(text: string, columns: number): { text: string; wrapped: boolean }[] {
  return text.split('\n').flatMap((line) => {
    const parts = line.match(new RegExp(`.{1,${columns}}`, 'gu')) ?? ['']
    return parts.map((part, index) => ({ text: part, wrapped: index < parts.length - 1 }))
  })
}
