import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Capture, readCapture, writeCapture } from '@webhook-receiver/quarantine/internal'
import { describe, expect, it } from 'vitest'
import { captureFolder } from '../src/captures/files.ts'
import { readCaptures } from './captures.ts'
import { folder } from './folder.ts'

const CAPTURE: Capture = {
  receivedAt: Date.UTC(2026, 0, 31, 12, 0, 0, 5),
  method: 'POST',
  target: '/webhooks?a=1',
  httpVersion: '1.1',
  headers: [
    ['X-b', '2'],
    ['x-A', '1'],
    ['x-a', 'again'],
    ['Latin', 'é'],
  ],
  body: Buffer.from('{}'),
}

describe('a capture is read as it was written', () => {
  it.each([
    ['text', Buffer.from('{"text":"Grüße 👋🏽\u2028"}\r\n')],
    ['nothing', Buffer.alloc(0)],
    ['a byte order mark', Buffer.from('\ufeff{}')],
    ['NUL', Buffer.from('\0')],
    ['what is not UTF-8', Buffer.from([0x7b, 0xff, 0xfe, 0x7d])],
    ['every byte', Buffer.from(Array.from({ length: 256 }, (_, byte) => byte))],
    ['a surrogate in UTF-8', Buffer.from([0xed, 0xa0, 0x80])],
  ])('with %s in the body', (_, body) => {
    const read = readCapture(writeCapture({ ...CAPTURE, body }))
    expect(read).toEqual({ ...CAPTURE, body })
  })
})

describe('rejects what is not a capture file:', () => {
  const file = JSON.parse(writeCapture(CAPTURE))
  it.each([
    ['', /no "format"/],
    ['[]', /no "format"/],
    ['null', /no "format"/],
    [{ ...file, version: 2 }, /"version" is not 1/],
    [{ ...file, version: undefined }, /"version" is not 1/],
    [{ ...file, version: [[]] }, /"version" is not 1/],
    [{ ...file, received_at: 'noon' }, /"received_at" is not a time/],
    [{ ...file, received_at: 5 }, /"received_at" is not a time/],
    [{ ...file, method: 'PO ST' }, /"method" is not an HTTP method/],
    [{ ...file, target: 'elsewhere' }, /"target" is not a path or URL/],
    [{ ...file, target: 5 }, /"target" is not a path or URL/],
    [{ ...file, http_version: 1 }, /"http_version"/],
    [{ ...file, headers: { a: 'b' } }, /"headers" is not a list/],
    [{ ...file, headers: [['a', 'b\r\nc: d']] }, /"headers" is not a list/],
    [
      { ...file, headers: [['a', '€']] },
      /value of the header a has a character that does not fit into one byte/,
    ],
    [{ ...file, headers: [['a']] }, /"headers" is not a list/],
    [{ ...file, body: 'text' }, /"body" has neither/],
    [{ ...file, body: {} }, /"body" has neither/],
    [{ ...file, body: { base64: 'e30 =' } }, /"body" has neither/],
  ])('%j', (wrong, message) => {
    const text = typeof wrong === 'string' ? wrong : JSON.stringify(wrong)
    expect(() => readCapture(text)).toThrow(message)
  })
})

describe('a folder of captures', () => {
  it('keeps a thousand of one millisecond apart, from two processes', async () => {
    const directory = join(await folder(), 'new', 'captures')
    const writers = [await captureFolder(directory), await captureFolder(directory)]
    const bodies = Array.from({ length: 500 }, (_, index) => Buffer.from(String(index)))
    await Promise.all(
      writers.flatMap((writer) => bodies.map((body) => writer({ ...CAPTURE, body }))),
    )
    expect((await readdir(directory)).filter((name) => name.endsWith('.json'))).toHaveLength(1000)
    expect(await readCaptures([directory])).toHaveLength(1000)
  })

  it('is read in the order of arrival, whatever the names are', async () => {
    const directory = await folder()
    const at = (receivedAt: number) => writeCapture({ ...CAPTURE, receivedAt })
    await writeFile(join(directory, 'b.json'), at(1))
    await writeFile(join(directory, 'a.json'), at(2))
    await writeFile(join(directory, '.hidden.json.part'), 'half')
    const read = await readCaptures([directory])
    expect(read.map(({ receivedAt }) => receivedAt)).toEqual([1, 2])
  })

  it('that is empty or does not exist is reported', async () => {
    const directory = await folder()
    await expect(readCaptures([directory])).rejects.toThrow('contains no captures')
    await expect(readCaptures([join(directory, 'x')])).rejects.toThrow(
      'Cannot read the capture: ENOENT',
    )
  })

  it('cannot be made where a file is', async () => {
    const path = join(await folder(), 'file')
    await writeFile(path, '')
    await expect(captureFolder(path)).rejects.toThrow('--save: cannot create the folder')
    await mkdir(`${path}s`)
  })
})
