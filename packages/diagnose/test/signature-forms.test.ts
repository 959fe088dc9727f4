import { describe, expect, test } from 'vitest'
import { diagnose } from '../src/index.ts'
import { BODY, digest, produced, SECRET, TIMESTAMP } from './produced.ts'

const mac = digest([`${TIMESTAMP}.`, BODY])
const hex = mac.toString('hex')
const base64 = mac.toString('base64')
const right = `sha256=${hex}`
const wrong = `sha256=${'ab'.repeat(32)}`

test.each([
  ['signature_duplicated', `${wrong} , ${right} , ${wrong}`],
  ['signature_white_space', `' ${right} '`],
  ['signature_white_space', `sha256 = ${hex}`],
  ['signature_prefix_other', `HMAC ${hex}`],
  ['signature_prefix_other', `sha256${hex}`],
  ['signature_encoding', Buffer.from(hex).toString('base64url')],
  ['signature_scheme', `v1,${base64}`],
])('%s is certain for the right digest in the header %j', async (code, signature) => {
  const headers = { 'X-Webhook-Signature': signature }
  expect(await diagnose(produced({ headers }))).toMatchObject([{ code, certainty: 'certain' }])
})

describe('by its shape alone', () => {
  const shape = (signature: string) =>
    diagnose({
      headers: { 'X-Webhook-Timestamp': TIMESTAMP, 'X-Webhook-Signature': signature },
      secrets: SECRET,
    })
  const sha512 = digest([BODY], SECRET, 'sha512')

  test.each([
    right.toUpperCase(),
    hex,
    `hmac-sha256=${hex}`,
    base64,
    `sha512=${sha512.toString('hex')}`,
  ])('no form is named for %j with something before or behind it', async (signature) => {
    expect(await shape(signature)).not.toMatchObject([{ code: 'unknown' }])
    for (const longer of [`? ${signature}`, `${signature} ?`]) {
      expect(await shape(longer)).toMatchObject([{ code: 'unknown' }])
    }
  })

  test.each([
    ['too many digits', `${right.toUpperCase()}AB`],
    ['a version and a longer digest in base64', `v1,${sha512.toString('base64')}`],
    ['a word that ends like a version', `rev1,${base64}`],
  ])('no form is named for %s', async (_, signature) => {
    expect(await shape(signature)).toMatchObject([{ code: 'unknown' }])
  })

  test('a digest of SHA-512 that begins with a letter has no prefix', async () => {
    const found = await shape('ab'.repeat(64))
    expect(found.map(({ code }) => code)).toEqual(['signature_other_hash'])
  })
})
