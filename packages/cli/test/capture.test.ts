import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Capture, writeCapture } from '@webhook-receiver/quarantine/internal'
import { describe, expect, it } from 'vitest'
import { captureFolder } from '../src/captures/files.ts'
import { readCaptures } from './captures.ts'
import { folder } from './folder.ts'

const CAPTURE: Capture = {
  receivedAt: Date.UTC(2026, 0, 31, 12, 0, 0, 5),
  method: 'POST',
  target: '/',
  httpVersion: '1.1',
  headers: [],
  body: Buffer.from('{}'),
}

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
})
