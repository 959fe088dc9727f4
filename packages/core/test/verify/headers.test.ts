import { expect, test, vi } from 'vitest'
import { current, expectRejection, incoming, received, receiverWith } from '../deliveries.ts'

// What HTTP servers pass on is in ../vectors.test.ts, and what is drawn in ../properties.test.ts.
test.each(['*', 'utf-8;q=1', 'binarybinary', '\u00a0utf-8', 'b\u0131nary', ' '])(
  'rejects the Content-Encoding %j, and says so: 415 encoding_not_supported',
  async (value) => {
    const changes = { headers: { 'content-encoding': value } }
    const rejected = received('message.received', changes)
    const { detail } = await expectRejection(rejected, 415, 'encoding_not_supported')
    expect(detail).toContain(JSON.stringify(value))
  },
)

test.each(['1048577', '1e999'])(
  'rejects the Content-Length %j: 413 body_too_large, asks for no secret, and reads nothing',
  async (value) => {
    const [secret, readBody] = [vi.fn(() => current.secret), vi.fn()]
    const changes = { headers: { 'content-length': value }, readBody }
    const attempt = receiverWith({}, secret).receive(incoming('message.received', changes))
    const { detail } = await expectRejection(attempt, 413, 'body_too_large')
    expect(detail).toContain(`over \`limit\` (1048576 bytes): ${value}.`)
    expect([secret, readBody].flatMap(({ mock }) => mock.calls)).toEqual([])
  },
)

test('tells the coding before the length', async () => {
  const headers = { 'content-encoding': 'gzip', 'content-length': '1048577' }
  await expectRejection(received('message.received', { headers }), 415, 'encoding_not_supported')
})
