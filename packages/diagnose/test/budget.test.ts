import { expect, test, vi } from 'vitest'
import { diagnose } from '../src/index.ts'
import { produced } from './produced.ts'

vi.mock('../src/text/pace.ts', async (original) => {
  const real = await original<typeof import('../src/text/pace.ts')>()
  return { ...real, createPace: () => real.createPace(2_000_000) }
})

test('a diagnosis that has used up its budget says that it is unfinished', async () => {
  const headers = { 'X-Webhook-Signature': `sha256=${'ab'.repeat(32)}` }
  expect(await diagnose(produced({ headers }))).toEqual([
    {
      code: 'unfinished',
      certainty: 'possible',
      message:
        'Not diagnosed further: the diagnosis had used all of its budget. Nothing that was tried matches the signature.',
      fix: expect.stringContaining('fingerprint of the secret'),
    },
  ])
})

test('what the request itself speaks for comes before', async () => {
  const headers = { 'X-Webhook-Signature': `sha256=${'ab'.repeat(32)}`, 'Content-Length': '1' }
  expect((await diagnose(produced({ headers }))).map(({ code }) => code)).toEqual([
    'body_length_changed',
    'unfinished',
  ])
})
