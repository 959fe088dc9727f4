import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { CAUSES } from '../../src/diagnose/causes.ts'
import { type DiagnosisInput, diagnose } from '../../src/diagnose/index.ts'
import { cases } from './cases.ts'
import { BODY, bodies, produced, SECRET, TIMESTAMP } from './produced.ts'
import written from './written.json' with { type: 'json' }

const CODES = [...new Set([...CAUSES.map(({ code }) => code), 'valid', 'unknown'])].sort()

test('every code is produced for real by a case of the table', () => {
  const codes = new Set<string>(cases.map(({ code }) => code))
  expect(CODES.filter((code) => !codes.has(code))).toEqual(['unknown'])
})

test('docs/diagnosis.md has a row for each code', async () => {
  const text = await readFile(join(import.meta.dirname, '../../../../docs/diagnosis.md'), 'utf8')
  const rows = [...text.matchAll(/^\| `(\w+)` \| (certain|possible|certain or possible) \|/gm)]
  expect(rows.map(([, code]) => code).sort()).toEqual(CODES)
})

test.each(Object.entries(written.bodies))(
  'a body that Python wrote and signed is valid, and names the cause when compact JSON came: %s',
  async (_, { body, signature }) => {
    const headers = { 'x-webhook-timestamp': TIMESTAMP, 'x-webhook-signature': signature }
    const [genuine] = await diagnose({ headers, body: Buffer.from(body), secrets: SECRET })
    expect(genuine).toMatchObject({ code: 'valid', certainty: 'certain' })
    const [first] = await diagnose({ headers, body: Buffer.from(BODY), secrets: SECRET })
    expect(first.code).toMatch(
      body === BODY ? 'valid' : /^body_(reserialized|escapes|keys_sorted)$/,
    )
  },
)

test('says which spacing it was', async () => {
  const [first] = await diagnose(produced({ signedBody: bodies['4 spaces'].body }))
  expect(first.message).toBe('The signature fits the body written as JSON indented by 4 spaces.')
})

describe('headers', () => {
  const { body, headers } = produced()
  const entries = Object.entries(headers)
  const shapes: readonly (readonly [string, DiagnosisInput['headers']])[] = [
    ['an object', headers],
    ['an object in lower case', Object.fromEntries(entries.map(([k, v]) => [k.toLowerCase(), v]))],
    ['an object with lists', Object.fromEntries(entries.map(([name, value]) => [name, [value]]))],
    ['Headers', new Headers(entries)],
    ['pairs', entries],
    ['a Map', new Map(entries)],
    ['a look-up', (name) => new Headers(entries).get(name)],
  ]
  test.each(shapes)('may be %s', async (_, shape) => {
    const [first] = await diagnose({ headers: shape, body, secrets: SECRET })
    expect(first.code).toBe('valid')
  })
})

describe('secrets', () => {
  test('are named where they have names', async () => {
    const secrets = { old: 'whsec_old', current: SECRET }
    expect(await diagnose(produced({ input: { secrets } }))).toMatchObject([
      { code: 'valid', secretName: 'current' },
    ])
    const signed = [BODY]
    expect(await diagnose(produced({ signed, input: { secrets } }))).toMatchObject([
      { code: 'message_body_alone', secretName: 'current' },
    ])
    const otherSecrets = { elsewhere: 'whsec_x' }
    expect(
      await diagnose(produced({ key: 'whsec_x', input: { secrets, otherSecrets } })),
    ).toMatchObject([{ code: 'secret_other', secretName: 'elsewhere' }])
    expect((await diagnose(produced()))[0]).not.toHaveProperty('secretName')
  })

  test('are needed: none is a TypeError', async () => {
    for (const secrets of ['', {}, { a: '' }]) {
      await expect(diagnose(produced({ input: { secrets } }))).rejects.toThrow(TypeError)
    }
  })
})

describe('without a body', () => {
  const shape = (signature: string) =>
    diagnose({
      headers: { 'X-Webhook-Timestamp': TIMESTAMP, 'X-Webhook-Signature': signature },
      secrets: SECRET,
    })
  const digits = 'ab'.repeat(32)

  test.each([
    ['signature_upper_case', `sha256=${digits.toUpperCase()}`],
    ['signature_prefix_missing', digits],
    ['signature_duplicated', `sha256=${digits}, sha256=${digits}`],
    ['signature_base64', Buffer.from(digits, 'hex').toString('base64')],
    ['signature_scheme', `t=1,v1=${digits}`],
    ['signature_other_hash', `sha1=${digits.slice(0, 40)}`],
    ['signature_truncated', `sha256=${digits.slice(0, 30)}`],
  ])('%s is possible by its shape', async (code, signature) => {
    const [first] = await shape(signature)
    expect(first).toMatchObject({ code, certainty: 'possible' })
    expect(first.message).toContain('possibly')
  })

  test.each(['sha256=', 'sha256=zz', 'nonsense', `sha256=${digits}`, ', ', 'sha256=é'])(
    'nothing is named for %j',
    async (signature) => {
      expect(await shape(signature)).toMatchObject([{ code: 'unknown', certainty: 'possible' }])
    },
  )
})

test('no finding holds a secret, a signature or anything of the body', async () => {
  const canary = 'CANARY5a1e'
  const needles = /CANARY5a1e|canary5a1e/
  const key = `whsec_${canary}`
  for (const { input } of cases) {
    const marked = { ...input, secrets: key, apiKey: `api_${canary}` }
    const text = JSON.stringify(await diagnose(marked))
    expect(text).not.toMatch(needles)
    expect(text).not.toMatch(/[0-9a-f]{16}/i)
    expect(text).not.toContain('inst_01')
  }
  const mine = [
    produced({
      key,
      signed: [`{"a":"${canary}"}`],
      body: `{"a":"${canary}"}`,
      input: { secrets: key },
    }),
    produced({ key: canary, body: `{"${canary}":1}`, input: { secrets: key } }),
    produced({
      key,
      signedBody: `{"a":"${canary}"}`,
      body: `{"a": "${canary}"}`,
      input: { secrets: key },
    }),
  ]
  for (const input of mine) {
    const [first] = await diagnose(input)
    expect(first.certainty).toBe('certain')
    expect(JSON.stringify(first)).not.toMatch(needles)
  }
})

test('each cause is one plain sentence, and so is its fix', async () => {
  for (const { what, fix } of CAUSES) {
    expect(what).toMatch(/^[a-z][^\n]*[^.]$/)
    expect(fix).toMatch(/^[A-Z][^\n]*\.$/)
  }
})
