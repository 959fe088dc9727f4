import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type DiagnosisInput, diagnose } from '../src/index.ts'
import { cases } from './cases.ts'
import { CAUSES, SERVICE_CODES } from './causes.ts'
import { BODY, bodies, produced, SECRET, TIMESTAMP } from './produced.ts'
import written from './written.json' with { type: 'json' }

const FIRST = ['valid', 'unknown', 'unfinished', 'signature_missing', 'timestamp_missing']
const CODES = [...new Set([...FIRST, ...CAUSES.map(({ code }) => code)])]
  .filter((code) => !SERVICE_CODES.includes(code))
  .sort()

/** The codes of what is found. */
async function codesOf(input: DiagnosisInput) {
  return (await diagnose(input)).map(({ code }) => code)
}

test('every code is produced for real by a case of the table', () => {
  const codes = new Set<string>(cases.map(({ code }) => code))
  expect(CODES.filter((code) => !codes.has(code))).toEqual(['unfinished', 'unknown'])
})

test('docs/reference/diagnosis-codes.md has a row for each code', async () => {
  const text = await readFile(
    join(import.meta.dirname, '../../../docs/reference/diagnosis-codes.md'),
    'utf8',
  )
  const rows = [...text.matchAll(/^\| `(\w+)` \|/gm)]
  const others = [...SERVICE_CODES, 'scheme_other', 'signature_malformed']
  expect(rows.map(([, code]) => code).sort()).toEqual([...CODES, ...others].sort())
})

/** What is named by the beginning of the name of a body; the others have other spacing. */
const WRITTEN = {
  'compact, ascii': 'body_escapes',
  compact: 'valid',
  sorted: 'body_keys_sorted',
}

test.each(Object.entries(written.bodies))(
  'a body that Python wrote and signed is valid, and names the cause when compact JSON came: %s',
  async (name, { body, signature }) => {
    const headers = { 'x-webhook-timestamp': TIMESTAMP, 'x-webhook-signature': signature }
    const found = (came: string) => diagnose({ headers, body: Buffer.from(came), secrets: SECRET })
    expect(await found(body)).toMatchObject([{ code: 'valid', certainty: 'certain' }])
    const [, code = 'body_reserialized'] =
      Object.entries(WRITTEN).find(([form]) => name.startsWith(form)) ?? []
    expect(await found(BODY)).toMatchObject([{ code, certainty: 'certain' }])
  },
)

test('says which spacing it was', async () => {
  const [first] = await diagnose(produced({ signedBody: bodies['4 spaces'].body }))
  expect(first.message).toBe(
    'The body was changed: the signature matches the body written as JSON indented by 4 spaces.',
  )
})

describe('headers', () => {
  const { body, headers } = produced()
  const entries = Object.entries(headers)
  test.each<[string, DiagnosisInput['headers'], string?]>([
    ['in an object', headers],
    ['in lists', Object.fromEntries(entries.map(([name, value]) => [name, [value]]))],
    ['in Headers', new Headers(entries)],
    ['in a Map', new Map(entries)],
    ['from a look-up', (name) => new Headers(entries).get(name)],
    ['without a text', { ...headers, 'X-Webhook-Signature': '' }, 'signature_missing'],
    ['in a list of nothing', { ...headers, 'X-Webhook-Signature': [] }, 'signature_missing'],
    [
      'that are null from a look-up',
      (name) => (name === 'x-webhook-timestamp' ? TIMESTAMP : null),
      'signature_missing',
    ],
  ])('%s are there, or missing', async (_, shape, code = 'valid') => {
    expect(await codesOf({ headers: shape, body, secrets: SECRET })).toEqual([code])
  })

  test('in two lines are read as one list', async () => {
    const lines = ['gzip', 'identity'].map((coding) => ['Content-Encoding', coding] as const)
    const forged = produced({ signedBody: 'something' })
    const headers = [...Object.entries(forged.headers), ...lines]
    expect(await codesOf({ ...forged, headers })).toEqual(['body_inflated'])
  })
})

test.each(['x-amzn-remapped-x-webhook-signature', 'HTTP_X_WEBHOOK_SIGNATURE', 'webhook-signature'])(
  'a signature that a proxy renamed is found: %s',
  async (name) => {
    const { headers, ...request } = produced()
    const { 'X-Webhook-Signature': signature = '', ...others } = Object(headers)
    const renamed = { ...others, [name]: signature }
    expect(await diagnose({ ...request, headers: renamed })).toMatchObject([
      { code: 'header_renamed', certainty: 'certain' },
    ])
  },
)

test('headers that a proxy renamed alike are found together', async () => {
  const { headers, ...request } = produced()
  const renamed = Object.entries(headers as Record<string, string>).map(
    ([name, value]) => [`X-Forwarded-${name}`, value] as const,
  )
  expect(await diagnose({ ...request, headers: renamed })).toMatchObject([
    {
      code: 'header_renamed',
      certainty: 'certain',
      message: expect.stringMatching(/x-forwarded-x-webhook-timestamp in place of/),
    },
  ])
})

describe('two causes', () => {
  const bare = SECRET.slice('whsec_'.length)

  test('are told in one sentence, and each with its fix', async () => {
    expect(await diagnose(produced({ key: bare, signed: [BODY] }))).toEqual([
      {
        code: 'secret_prefix_left_out',
        also: 'message_body_alone',
        certainty: 'certain',
        message:
          'Signed with another key: the signature matches the secret without its prefix "whsec_", and matches the body alone.',
        fix: 'Make the sender use the whole secret as the key, with its prefix. Make the sender sign the timestamp as sent, "." and the raw body.',
      },
    ])
  })

  const value = JSON.parse(BODY)
  const compact = JSON.stringify(value)
  const indented = JSON.stringify(value, undefined, 2)
  const inOneLine = indented.replaceAll(/,\n */g, ', ').replaceAll(/\n */g, '')

  test.each([
    ['indented', indented, compact],
    ['in one line', inOneLine, compact],
    ['compact', compact, indented],
  ])('a prefix that is missing, and JSON that was %s, are found', async (_, signed, body) => {
    const fault = { key: bare, signed: [`${TIMESTAMP}.`, signed], body }
    expect(await diagnose(produced(fault))).toMatchObject([
      { code: 'secret_prefix_left_out', also: 'body_reserialized' },
    ])
  })

  test('are not assumed beside a third one, in the header, which is possible', async () => {
    const header = (mac: Buffer) => mac.toString('base64')
    expect(await diagnose(produced({ key: bare, signed: [BODY], header }))).toMatchObject([
      { code: 'signature_encoding', certainty: 'possible' },
    ])
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
    for (const unnamed of [produced(), produced({ signed })]) {
      expect((await diagnose(unnamed))[0]).not.toHaveProperty('secretName')
    }
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
  const right = `sha256=${digits}`
  const base64 = Buffer.from(digits, 'hex').toString('base64')

  test.each([
    ['signature_encoding', base64],
    ['signature_scheme', `t=1,v1=${digits}`],
    ['signature_other_hash', `sha1=${digits.slice(0, 40)}`],
  ])('%s is possible by its shape', async (code, signature) => {
    const [first] = await shape(signature)
    expect(first).toMatchObject({ code, certainty: 'possible' })
    expect(first.message).toContain('possibly')
  })

  const sha512 = `${digits}${digits}`
  test.each([
    ...['sha256=', 'nonsense', right, ', ', `rev1,${base64}`, `${right.toUpperCase()}AB`],
    `v1,${Buffer.from(sha512, 'hex').toString('base64')}`,
  ])('nothing is named for %j', async (signature) => {
    expect(await shape(signature)).toMatchObject([{ code: 'unknown', certainty: 'possible' }])
  })

  test.each([right.toUpperCase(), digits, `hmac-sha256=${digits}`, base64, `sha512=${sha512}`])(
    'no form is named for %j with something before or behind it',
    async (signature) => {
      expect(await shape(signature)).not.toMatchObject([{ code: 'unknown' }])
      for (const longer of [`? ${signature}`, `${signature} ?`]) {
        expect(await shape(longer)).toMatchObject([{ code: 'unknown' }])
      }
    },
  )

  test('a digest of SHA-512 that begins with a letter has no prefix', async () => {
    expect(await shape(sha512)).toMatchObject([{ code: 'signature_other_hash' }])
  })

  test('no finding names the body', async () => {
    const { headers } = produced({ headers: { 'Content-Length': '9', 'Content-Encoding': 'gzip' } })
    expect(await diagnose({ headers, secrets: SECRET })).toMatchObject([{ code: 'unknown' }])
  })
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
  const body = `{"a":"${canary}"}`
  const [first] = await diagnose(produced({ key, signed: [body], body, input: { secrets: key } }))
  expect(first.certainty).toBe('certain')
  expect(JSON.stringify(first)).not.toMatch(needles)
})

test('each cause is one plain sentence, and so is its fix', async () => {
  for (const { what, fix } of CAUSES) {
    expect(what).toMatch(/^[a-z][^\n]*[^.]$/)
    expect(fix).toMatch(/^[A-Z][^\n]*\.$/)
  }
})
