import { describe, expect, test } from 'vitest'
import { type Reading, readResponse } from '../src/wire/response.ts'

function read(text: string, ended = false, method = 'POST'): Reading {
  return readResponse(Buffer.from(text, 'latin1'), ended, method)
}

function body(reading: Reading): string | undefined {
  return reading.kind === 'response' ? reading.response.body.toString('latin1') : undefined
}

describe('readResponse', () => {
  test('reads a body of a declared length and leaves what follows', () => {
    const reading = read('HTTP/1.1 401 Unauthorized\r\nContent-Length:3\r\n\r\nabcHTTP/1.1 2')
    expect(reading).toMatchObject({ kind: 'response', response: { status: 401 } })
    expect(body(reading)).toBe('abc')
    expect(reading.kind === 'response' && reading.rest.toString()).toBe('HTTP/1.1 2')
  })

  test('reads a field of 1,000,000 spaces', () => {
    const value = `a${' '.repeat(1_000_000)}b`
    const reading = read(`HTTP/1.1 204 No Content\r\nX:\t ${value} \t\r\n\r\n`)
    expect(reading.kind === 'response' && reading.response.headers.get('x')).toBe(value)
  })

  test('reads a chunked body with an extension and a trailer', () => {
    const text =
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3;a=b\r\nabc\r\n0\r\nX: 1\r\n\r\nrest'
    const reading = read(text)
    expect(body(reading)).toBe('abc')
    expect(reading.kind === 'response' && reading.rest.toString()).toBe('rest')
  })

  test('reads a body without a length up to the end of the connection', () => {
    const text = 'HTTP/1.1 200 OK\r\n\r\nabc'
    expect(read(text)).toEqual({ kind: 'incomplete', started: true })
    expect(body(read(text, true))).toBe('abc')
  })

  test.each([
    ['an interim response', 'HTTP/1.1 100 Continue\r\n\r\nabc', 'POST'],
    ['204', 'HTTP/1.1 204 No Content\r\nContent-Length: 3\r\n\r\nabc', 'POST'],
    ['304', 'HTTP/1.1 304 Not Modified\r\n\r\nabc', 'POST'],
    ['a response to HEAD', 'HTTP/1.1 405 No\r\nContent-Length: 3\r\n\r\nabc', 'HEAD'],
  ])('gives %s no body', (_, text, method) => {
    expect(body(read(text, false, method))).toBe('')
  })

  test.each([
    ['nothing', '', false],
    ['half a body', 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nab', true],
    ['half a chunk', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab', true],
    [
      'chunks without a last one',
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n',
      true,
    ],
  ])('waits for more after %s', (_, text, started) => {
    expect(read(text)).toEqual({ kind: 'incomplete', started })
  })

  test.each([
    ['another protocol', 'SSH-2.0-server\r\n\r\n'],
    ['a header without a name', 'HTTP/1.1 200 OK\r\n: b\r\n\r\n'],
    ['a length that is not a number', 'HTTP/1.1 200 OK\r\nContent-Length: 3x\r\n\r\nabc'],
    [
      'a chunk size that is not a number',
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nq\r\n',
    ],
    [
      'a chunk longer than its size',
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nabc\r\n',
    ],
  ])('calls %s malformed', (_, text) => {
    expect(read(text)).toEqual({ kind: 'malformed' })
  })

  test('joins repeated headers and lowers their names', () => {
    const reading = read(
      'HTTP/1.1 200 OK\r\nAllow: GET\r\nALLOW:POST \r\nContent-Length: 0\r\n\r\n',
    )
    expect(reading.kind === 'response' && reading.response.headers.get('allow')).toBe('GET, POST')
  })
})
