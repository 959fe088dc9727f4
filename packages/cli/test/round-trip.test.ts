import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sampleDelivery, signDelivery } from '@webhook-receiver/core/testing'
import { writeCapture } from '@webhook-receiver/quarantine/internal'
import { describe, expect, it } from 'vitest'
import { readHeaderFile } from '../src/verify/header-file.ts'
import { folder } from './folder.ts'
import { invoke, SECRET, words } from './invoke.ts'
import { receiver, recording } from './receiver.ts'
import { saved } from './recorded.ts'

const HEAD = {
  receivedAt: 0,
  method: 'POST',
  target: '/',
  httpVersion: '1.1',
  headers: [],
  body: Buffer.of(),
}

describe('verify --headers --body', () => {
  it('verifies what curl -v shows', async () => {
    const directory = await folder()
    const signed = await signDelivery(SECRET, sampleDelivery('message.received'))
    const lines = Object.entries(signed.headers).map((header) => `> ${header.join(': ')}\r\n`)
    const paths = { headers: join(directory, 'headers'), body: join(directory, 'body') }
    await writeFile(paths.headers, lines.join(''))
    await writeFile(paths.body, signed.body)
    const args = words`verify --headers ${paths.headers} --body ${paths.body} --json`
    const { json } = await invoke(args)
    expect(json).toMatchObject([{ valid: true, delivery: { event: 'message.received' } }])
  })

  it('takes spaces and tabs from around a value, and nothing else', () => {
    const { headers } = readHeaderFile('A: \t x y \t\r\nB:\u00a0z\u00a0\nC:\nD: \t ')
    expect(headers).toEqual([
      ['A', 'x y'],
      ['B', '\u00a0z\u00a0'],
      ['C', ''],
      ['D', ''],
    ])
  })

  it('reads a value of 1,000,000 spaces', () => {
    const value = `a${' '.repeat(1_000_000)}b`
    expect(readHeaderFile(`A: ${value}`).headers).toEqual([['A', value]])
  })
})

describe('replay', () => {
  it.each([
    ['1000000000000', /^\d{13}$/],
    ['2020-01-01T00:00:00Z', /^\d{4}-.*Z$/],
    ['Wed, 01 Jan 2020 00:00:00 GMT', / GMT$/],
    ['1577836800', /^\d{10}$/],
  ])('signs again in the form of %s', async (timestamp, form) => {
    const { url, arrived } = await recording()
    const { headers, body } = await signDelivery(SECRET, 'message.read', { timestamp })
    const file = await saved({ ...HEAD, headers: Object.entries(headers), body })
    expect((await invoke(['replay', file, url, '--resign'])).code).toBe(0)
    const [{ rawHeaders = [] } = {}] = arrived
    expect(rawHeaders[rawHeaders.indexOf('X-Webhook-Timestamp') + 1]).toMatch(form)
  })

  it('signs what had no signature, leaves out a second one, and keeps chunks', async () => {
    const { url, deliveries } = await receiver()
    const directory = await folder()
    const body = Buffer.from(JSON.stringify(sampleDelivery('message.sent')))
    const head = { ...HEAD, body }
    const none = writeCapture({ ...head, headers: [['Transfer-Encoding', 'chunked']] })
    const twice = [
      ['X-Webhook-Signature', 'a'],
      ['Content-Length', '1'],
      ['Expect', '100-continue'],
      ['x-webhook-signature', 'b'],
    ] as const
    await writeFile(join(directory, '1.json'), none)
    await writeFile(join(directory, '2.json'), writeCapture({ ...head, headers: twice }))
    expect((await invoke(['replay', directory, url, '--resign'])).code).toBe(0)
    expect(deliveries).toHaveLength(2)
  })
})
