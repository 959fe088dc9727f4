import { describe, expect, test } from 'vitest'
import { diagnose } from '../src/index.ts'
import { BODY, digest, produced } from './produced.ts'

/** What is found where one text was signed as the timestamp, and another one came. */
async function found(signed: string, timestamp: string) {
  const [first] = await diagnose(produced({ body: '{}', signed: [`${signed}.`, '{}'], timestamp }))
  return first.code
}

describe('an instant in another form', () => {
  test.each([
    '1760000000',
    '1760000000.678',
    '1760000000678000',
    '2025-10-09T08:53:20',
    '2025-10-09T08:53:20Z',
    '2025-10-09T08:53:20.678000Z',
    'Thu, 09 Oct 2025 08:53:20 GMT',
  ])('%s is found as what was signed', async (signed) => {
    expect(await found(signed, '2025-10-09T10:53:20.678+02:00')).toBe('timestamp_form')
  })

  test.each([
    '1760000000.678',
    '2025-10-09 08:53:20.678Z',
    '2025-10-09T10:53:20.678+02:00',
    ' 1760000000678 ',
  ])('%j is read as what came', async (timestamp) => {
    expect(await found('1760000000678', timestamp)).toBe('timestamp_form')
  })

  test('white space around a text that is not a time is found too', async () => {
    expect(await found('soon', ' soon\t')).toBe('timestamp_form')
  })
})

describe('several timestamps', () => {
  test.each(['1,1760000000', '1760000000,  1'])('%j', async (timestamp) => {
    expect(await found('1760000000', timestamp)).toBe('timestamp_duplicated')
  })

  test('in two lines are named even where the first one is right', async () => {
    const { headers, ...request } = produced()
    const lines = [...Object.entries(headers), ['X-Webhook-Timestamp', '1'] as const]
    expect(await diagnose({ ...request, headers: lines })).toMatchObject([
      { code: 'timestamp_duplicated', certainty: 'certain' },
    ])
  })
})

test.each([
  ['in front', (hex: string) => `t=1760000123,v1=${hex}`],
  ['behind a comma', (hex: string) => `v1=${hex},t=1760000123`],
  ['behind a space', (hex: string) => `v1=${hex} t=1760000123`],
])('the t= of another scheme is read %s', async (_, header) => {
  const signature = header(digest(['1760000123.', BODY]).toString('hex'))
  expect(await diagnose(produced({ headers: { 'X-Webhook-Signature': signature } }))).toMatchObject(
    [{ code: 'signature_scheme', certainty: 'certain' }],
  )
})
