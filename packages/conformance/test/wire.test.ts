import type { Socket } from 'node:net'
import { describe, expect, test } from 'vitest'
import type { VectorCase, VectorSend } from '../src/vectors.ts'
import { outcomeProblems } from '../src/wire/outcome.ts'
import { play } from '../src/wire/play.ts'
import { requestBytes } from '../src/wire/request.ts'
import { scripted } from './scripted-server.ts'

const ok = 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'

function vector(changes: Partial<VectorCase> = {}): VectorCase {
  return {
    id: 'x',
    group: 'x',
    description: 'x',
    why: 'x',
    method: 'POST',
    path: '/w',
    http: 'HTTP/1.1',
    host: true,
    headers: [['A', 'é']],
    body: { base64: Buffer.from('0123456789').toString('base64') },
    framing: 'content-length',
    timestamp: null,
    secret: '',
    expect: ['accepted'],
    handler_calls: null,
    policy: false,
    ...changes,
  }
}

function text(changes: Partial<VectorCase>): string {
  const { head, body } = requestBytes(vector(changes))
  return Buffer.concat([head, body]).toString('latin1')
}

/** What is observed where a server acts as `script` says, and what the server gets, in one character a byte. */
async function exchange(
  changes: Partial<VectorCase>,
  script: (socket: Socket, arrived: readonly string[]) => void,
) {
  const arrived: string[] = []
  const left: Promise<void>[] = []
  const server = await scripted((socket) => {
    left.push(new Promise((resolve) => socket.once('end', resolve).once('close', () => resolve())))
    socket.on('data', (chunk) => arrived.push(chunk.toString('latin1')))
    script(socket, arrived)
  })
  try {
    const observed = await play(vector(changes), server.port)
    // No connection stays open.
    await Promise.all(left)
    return { outcomes: observed.map(({ outcome }) => outcome), arrived }
  } finally {
    await server.close()
  }
}

test('headers are written one byte a character, and neither a length nor a body without framing', () => {
  expect(text({ framing: 'none', host: false })).toBe('POST /w HTTP/1.1\r\nA: é\r\n\r\n')
})

describe('play', () => {
  test.each<[string, string, (socket: Socket) => void]>([
    [
      'the final status after interim ones',
      '200',
      (s) => s.write(`HTTP/1.1 103 Hints\r\n\r\n${ok}`),
    ],
    ['closed when the connection ends with no response', 'closed', (s) => s.end()],
    [
      'closed when the connection is reset',
      'closed',
      (s) => s.once('data', () => s.resetAndDestroy()),
    ],
    ['cut when it ends inside a response', 'cut', (s) => s.end('HTTP/1.1 200 OK\r\nCont')],
    ['garbage when the response is not HTTP', 'garbage', (s) => s.end('hello\r\n\r\n')],
    [
      'garbage when a chunk has no size',
      'garbage',
      (s) => s.end('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nx\r\n'),
    ],
    [
      'garbage when there is an empty line in place of a chunk',
      'garbage',
      (s) => s.end('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n\r\n'),
    ],
    ['the status when the server closes after it', '413', (s) => s.end('HTTP/1.1 413 No\r\n\r\n')],
  ])('sees %s', async (_, outcome, script) => {
    expect((await exchange({}, script)).outcomes).toEqual([outcome])
  })

  test('sees a timeout when no response comes within max_seconds', async () => {
    const { outcomes } = await exchange({ send: { max_seconds: 0.1 } }, () => {})
    expect(outcomes).toEqual(['timeout'])
  })

  test.each<[string, VectorSend]>([
    ['in segments', { segment: 3 }],
    ['in pieces with a gap', { pieces: 4, gap_ms: 5 }],
    ['before it reads', { read_after_write: true }],
  ])('sends the same bytes %s', async (_, send) => {
    const whole = text({})
    const { outcomes, arrived } = await exchange({ send }, (socket, before) =>
      socket.on('data', () => before.join('').length === whole.length && socket.write(ok)),
    )
    expect(outcomes).toEqual(['200'])
    expect(arrived.join('')).toBe(whole)
    if (send.pieces !== undefined) expect(arrived.length).toBeGreaterThan(1)
  })

  test('reads no response before all is sent, and loses it where the server resets', async () => {
    const body = { base64: Buffer.alloc(2 ** 24).toString('base64') }
    const send = { read_after_write: true }
    const { outcomes } = await exchange({ body, send }, (socket) => {
      socket.pause().write('HTTP/1.1 413 No\r\nContent-Length: 0\r\n\r\n')
      setTimeout(() => socket.resetAndDestroy(), 100)
    })
    expect(outcomes).toEqual(['closed'])
  })

  test('shuts its sending side and still reads the response', async () => {
    const { outcomes } = await exchange({ send: { half_close: true } }, (socket) =>
      socket.on('end', () => socket.end(ok)),
    )
    expect(outcomes).toEqual(['200'])
  })

  test('keeps the body back until 100 Continue', async () => {
    const { outcomes, arrived } = await exchange({ send: { expect_100: true } }, (socket, before) =>
      socket.on('data', () =>
        socket.write(before.length === 1 ? 'HTTP/1.1 100 Continue\r\n\r\n' : ok),
      ),
    )
    expect(outcomes).toEqual(['200'])
    expect(arrived).toEqual([expect.stringMatching(/\r\n\r\n$/), '0123456789'])
  })

  test('sends no body when the response to Expect is final', async () => {
    const { outcomes, arrived } = await exchange({ send: { expect_100: true } }, (socket) =>
      socket.write('HTTP/1.1 401 No\r\nContent-Length: 0\r\n\r\n'),
    )
    expect(outcomes).toEqual(['401'])
    expect(arrived.join('')).not.toContain('0123456789')
  })

  test('sends the head alone for headers_only', async () => {
    const { arrived } = await exchange({ send: { headers_only: true, max_seconds: 0.1 } }, () => {})
    expect(arrived.join('')).toMatch(/\r\n\r\n$/)
  })

  test.each([true, false])('leaves in the middle of the body, with a reset: %s', async (rst) => {
    const chunks: Buffer[] = []
    const errors: unknown[] = []
    let left: () => void = () => {}
    const gone = new Promise<void>((resolve) => {
      left = resolve
    })
    const send = { abort_after_body_bytes: 4, rst }
    const server = await scripted((socket) => {
      socket.on('data', (chunk) => chunks.push(chunk))
      socket.on('error', (error) => errors.push(error))
      socket.on('end', () => left()).on('close', () => left())
    })
    const [observed] = await play(vector({ send }), server.port)
    await gone
    await server.close()
    expect(observed?.outcome).toBe('closed')
    expect(Buffer.concat(chunks).toString('latin1')).toMatch(/\r\n\r\n0123$/)
    expect(errors).toHaveLength(rst ? 1 : 0)
  })
})

describe('play with steps', () => {
  const step = {
    raw_base64: Buffer.from('GET / HTTP/1.1\r\n\r\n').toString('base64'),
    expect: ['200'],
  }

  test.each([
    [1, 'sends a sequence on one connection', [step, step, step], ['200', 'closed', 'closed']],
    [
      2,
      'opens another one where a step says so',
      [step, { ...step, new_connection: true }],
      ['200', '200'],
    ],
  ])('%i: %s', async (expected, _, steps, results) => {
    let connections = 0
    const { outcomes } = await exchange({ expect: ['sequence'], steps }, (socket) => {
      connections += 1
      let requests = 0
      // Each step comes after the last response.
      socket.on('data', () => (requests++ === 0 ? socket.write(ok) : socket.end()))
    })
    expect(outcomes).toEqual(results)
    expect(connections).toBe(expected)
  })

  test('writes a pipeline at once and keeps the order of the responses', async () => {
    const steps = [step, step, { ...step, body: { base64: 'YWJj' } }]
    const { outcomes } = await exchange({ expect: ['pipeline'], steps }, (socket) =>
      socket.once('data', () => socket.end(`${ok}HTTP/1.1 401 No\r\nContent-Length: 1\r\n\r\nx`)),
    )
    expect(outcomes).toEqual(['200', '401', 'closed'])
  })

  test('gives each concurrent step a connection of its own', async () => {
    const waiting: Socket[] = []
    const { outcomes } = await exchange(
      { expect: ['concurrent'], steps: [step, step, step] },
      (socket) => {
        waiting.push(socket)
        // Nobody gets a response before everybody is there.
        if (waiting.length === 3) for (const one of waiting) one.end(ok)
      },
    )
    expect(outcomes).toEqual(['200', '200', '200'])
  })

  test('names the step with another outcome, counted from 1', () => {
    const steps = [step, { ...step, expect: ['401'] }]
    expect(outcomeProblems(vector({ steps }), [{ outcome: '200' }, { outcome: '204' }])).toEqual([
      'step 2: expected 401, observed 204',
    ])
  })
})
