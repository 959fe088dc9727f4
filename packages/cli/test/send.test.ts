import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { folder } from './folder.ts'
import { invoke, SECRET, start } from './invoke.ts'
import { receiver, serving } from './receiver.ts'

it('hands over the event and the data of the command line or of a file', async () => {
  const { url, deliveries } = await receiver()
  const file = join(await folder(), 'data.json')
  await writeFile(file, '{"text":"from a file"}')
  for (const data of [
    ['--data', '{"text":"hello 👋"}'],
    ['--data-file', file],
  ])
    await invoke(['send', 'message.reacted', url, ...data])
  const event = 'message.reacted'
  expect(deliveries).toMatchObject([
    { event, data: { data: { text: 'hello 👋' } } },
    { event, data: { data: { text: 'from a file' } } },
  ])
})

it('ends with 130 after Ctrl-C', async () => {
  let arrived = false
  const url = await serving(() => {
    arrived = true
  })
  const sending = start(['send', 'message.read', url])
  await expect.poll(() => arrived).toBe(true)
  sending.interrupt()
  const { code, err } = await sending.ended
  expect(code).toBe(130)
  expect(err).toContain('The receiver may have the delivery.')
})

describe('takes the secret', () => {
  const env = { WEBHOOK_SECRET: undefined }

  it('from a file, without the newline at its end', async () => {
    const { url } = await receiver()
    const file = join(await folder(), 'secret')
    await writeFile(file, `${SECRET}\n`)
    const args = ['send', 'message.read', url, '--secret-file', file]
    expect((await invoke(args, { env })).code).toBe(0)
  })

  it.each([
    [`${SECRET}\r`, 0],
    // Ctrl-C.
    ['\u0003', 130],
  ])('from a prompt that does not show it: %j ends with %i', async (typed, code) => {
    const { url } = await receiver()
    const sending = start(['send', 'message.read', url], { env, tty: true })
    await sending.until(/secret \(not shown\): /)
    sending.stdin.write(typed)
    expect((await sending.ended).code).toBe(code)
  })
})
