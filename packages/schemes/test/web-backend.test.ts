import { mac } from '@webhook-receiver/core/internal'
import { expect, test, vi } from 'vitest'
import { crypto } from '#crypto'
import { mac as webMac } from '../../core/src/verify/mac-web.ts'
import { crypto as web } from '../src/crypto/crypto-web.ts'
import { discordInteractions, github, sendgrid } from '../src/index.ts'
import known from './keys.json' with { type: 'json' }
import { receive } from './signed.ts'
import { validRequest } from './vectors.ts'

vi.mock('#crypto', () => import('../src/crypto/crypto-web.ts'))
vi.mock('../../core/src/verify/mac-node.ts', () => import('../../core/src/verify/mac-web.ts'))

test('these tests run on WebCrypto', () => {
  expect(crypto).toBe(web)
  expect(mac).toBe(webMac)
})

test('the key of a delivery is made before the handler, since its hash is a promise', async () => {
  const { verification } = await receive(github, validRequest(github))
  const key = Object.getOwnPropertyDescriptor(verification, 'key')?.value
  expect(key.slice(0, known.github.default.length)).toBe(known.github.default)
})

const BY_EACH_KIND = [github, discordInteractions, sendgrid]

test.each(BY_EACH_KIND)(
  '$name: a forged request is 401 where something has replaced Promise, as zone.js does',
  async (scheme) => {
    vi.stubGlobal('Promise', class extends Promise<unknown> {})
    const valid = validRequest(scheme)
    expect((await receive(scheme, valid)).delivery).toBeDefined()
    const body = Buffer.concat([valid.body, Buffer.from(' ')])
    await expect(receive(scheme, { ...valid, body })).rejects.toMatchObject({ status: 401 })
  },
)

await import('./vectors.test.ts')
await import('./mistakes.test.ts')
await import('./secret.test.ts')
await import('./signatures.test.ts')
await import('./key-pair.test.ts')
