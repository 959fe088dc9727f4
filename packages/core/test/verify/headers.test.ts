import { expect, test } from 'vitest'
import { expectRejection, received, signed } from '../deliveries.ts'

const name = 'message.received'
const header = (field: string, value: string | undefined) => ({ headers: { [field]: value } })

// What HTTP servers pass on is in ../vectors.test.ts.
test.each([undefined, '\tidentity \t', 'BINARY'])(
  'accepts the Content-Encoding %j',
  async (value) => {
    const { delivery } = await received(name, header('content-encoding', value))
    expect(delivery.event).toBe(name)
  },
)

test.each([
  ...[
    '*',
    'utf-8, utf-8',
    'utf-8;q=1',
    'binarybinary',
    '\u00a0utf-8',
    'utf-8\u00a0',
    'b\u0131nary',
    ' ',
  ],
])('rejects the Content-Encoding %j: 415 encoding_not_supported', async (value) => {
  const changes = header('content-encoding', value)
  const { detail } = await expectRejection(received(name, changes), 415, 'encoding_not_supported')
  expect(detail).toContain(JSON.stringify(value))
})

test.each([undefined, '', '1048576', '01048576'])(
  'reads the body where Content-Length is %j',
  async (value) => {
    const { delivery } = await received(name, header('content-length', value))
    expect(delivery.event).toBe(name)
  },
)

test.each(['1048577', '1e999'])(
  'rejects the Content-Length %j: 413 body_too_large, and reads nothing',
  async (value) => {
    let reads = 0
    const readBody = () => {
      reads++
      return signed(name).body
    }
    const changes = { ...header('content-length', value), readBody }
    const { detail } = await expectRejection(received(name, changes), 413, 'body_too_large')
    expect(detail).toContain(`Content-Length is ${value}, over \`limit\` (1048576 bytes)`)
    expect(reads).toBe(0)
  },
)
