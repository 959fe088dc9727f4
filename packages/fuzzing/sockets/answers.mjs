import { HANDLED } from '@webhook-receiver/tools/applications.mjs'

const HEAD_END = Buffer.from('\r\n\r\n')

/** Takes the bytes of a connection and gives the answers in them. */
export class Answers {
  #rest = Buffer.alloc(0)

  /**
   * @param {Buffer} bytes
   * @returns {{ status: number, handled: string | undefined, close: boolean }[]} those that are whole
   */
  take(bytes) {
    let rest = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes])
    const found = []
    for (;;) {
      const answer = firstOf(rest)
      if (!answer) break
      rest = rest.subarray(answer.length)
      // An interim answer is none.
      if (answer.status >= 200) found.push(answer)
    }
    this.#rest = rest
    return found
  }

  /** Whether there is the beginning of an answer that did not end. */
  get cut() {
    return this.#rest.length > 0
  }
}

function firstOf(bytes) {
  const end = bytes.indexOf(HEAD_END)
  if (end === -1) return undefined
  const head = bytes.latin1Slice(0, end)
  const status = Number(head.slice(9, 12))
  const body = end + HEAD_END.length
  const handled = fieldOf(head, HANDLED)
  const close = fieldOf(head, 'connection') === 'close'
  const length = bodyLength(bytes.subarray(body), head, status)
  if (length === undefined || bytes.length < body + length) return undefined
  return { status, handled, close, length: body + length }
}

function bodyLength(bytes, head, status) {
  if (status < 200 || status === 204 || status === 304) return 0
  const length = fieldOf(head, 'content-length')
  if (length !== undefined) return Number(length)
  if (fieldOf(head, 'transfer-encoding') === undefined) return 0
  const end = bytes.indexOf('0\r\n\r\n')
  return end === -1 ? undefined : end + 5
}

function fieldOf(head, name) {
  const lower = head.toLowerCase()
  const at = lower.indexOf(`\r\n${name}:`)
  if (at === -1) return undefined
  const from = at + name.length + 3
  const end = head.indexOf('\r\n', from)
  const value = head.slice(from, end === -1 ? undefined : end).trim()
  return name === HANDLED ? value : value.toLowerCase()
}
