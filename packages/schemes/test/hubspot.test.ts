import { expect, test } from 'vitest'
import { hubspot } from '../src/index.ts'
import { macOf, NOW, receive } from './signed.ts'

const ORIGIN = 'https://example.com'

/** Whether a request to this target is accepted whose signature is of the URL `signed`. */
async function isAccepted(target: string, signed: string, publicUrl = ORIGIN): Promise<boolean> {
  const headers = {
    'x-hubspot-request-timestamp': `${NOW}`,
    'x-hubspot-signature-v3': macOf(`POST${signed}[]${NOW}`, { as: 'base64' }),
  }
  const sent = { url: `http://10.0.0.1${target}`, headers, body: '[]' }
  return receive(hubspot, sent, { publicUrl }).then(
    () => true,
    ({ reason }) => {
      expect(reason).toBe('signature_mismatch')
      return false
    },
  )
}

const escaped = (text: string) =>
  Array.from(text, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`).join('')

// The vectors have that these escapes, and no others, are signed decoded: here they are in a request and in `publicUrl`.
const DECODED = ":/?@!$'()*,;"

test.each([escaped(DECODED), escaped(DECODED).toLowerCase()])(
  '%s is signed decoded, and accepted as it is, too',
  async (written) => {
    const target = `/hook?a=x${written}y`
    for (const publicUrl of [ORIGIN, `${ORIGIN}${target}`]) {
      for (const text of [DECODED, written]) {
        expect(await isAccepted(target, `${ORIGIN}/hook?a=x${text}y`, publicUrl)).toBe(true)
      }
      expect(await isAccepted(target, `${ORIGIN}/hook?a=xy`, publicUrl)).toBe(false)
    }
    const registered = `${ORIGIN}/a${written}b`
    expect(await isAccepted('/other', `${ORIGIN}/a${DECODED}b`, registered)).toBe(true)
  },
)

test.each([...' &=#%+[{"<~A'])('an escape of %j is signed as it is', async (character) => {
  const target = `/hook?a=x${escaped(character)}y`
  for (const publicUrl of [ORIGIN, `${ORIGIN}${target}`]) {
    expect(await isAccepted(target, `${ORIGIN}${target}`, publicUrl)).toBe(true)
    expect(await isAccepted(target, `${ORIGIN}/hook?a=x${character}y`, publicUrl)).toBe(false)
  }
})

test.each([
  ['/hook%3Ftenant=7', '/hook?tenant=7'],
  ['/hooks%2F7', '/hooks/7'],
])('with an origin, %s has not the signature of %s', async (target, signed) => {
  expect(await isAccepted(signed, `${ORIGIN}${signed}`)).toBe(true)
  expect(await isAccepted(target, `${ORIGIN}${signed}`)).toBe(false)
  expect(await isAccepted(target, `${ORIGIN}${signed}`, `${ORIGIN}${target}`)).toBe(true)
})
