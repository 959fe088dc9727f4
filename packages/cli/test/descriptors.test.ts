import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { signDelivery } from '@webhook-receiver/core/testing'
import { writeCapture } from '@webhook-receiver/quarantine/internal'
import { expect, test } from 'vitest'
import { folder } from './folder.ts'
import { SECRET } from './invoke.ts'
import { receiver } from './receiver.ts'

const MAIN = new URL('../dist/main.js', import.meta.url).pathname

/** Runs the built command with few file descriptors: the tools that compile a source need many themselves. */
function limited(...args: readonly string[]) {
  const { PATH, HOME } = process.env
  const env = { PATH, HOME, WEBHOOK_SECRET: SECRET }
  const command = ['-c', 'ulimit -n 128 && exec "$0" "$@"', process.execPath, MAIN, ...args]
  return new Promise<{ code: unknown; out: string; err: string }>((resolve) => {
    execFile('bash', command, { env }, (error, out, err) =>
      resolve({ code: error === null ? 0 : error.code, out, err }),
    )
  })
}

test('verifies and replays hundreds of captures with 128 file descriptors', {
  timeout: 200_000,
}, async () => {
  const { url, deliveries } = await receiver()
  const captures = await folder()
  const now = Date.now()
  const paths = Array.from({ length: 400 }, (_, index) => join(captures, `${index}.json`))
  for (const [index, path] of paths.entries()) {
    const { headers, body } = await signDelivery(SECRET, 'message.read')
    // The order of arrival is not that of the names.
    const head = { receivedAt: now - index, method: 'POST', target: '/' }
    const capture = { ...head, httpVersion: '1.1', headers: Object.entries(headers), body }
    await writeFile(path, writeCapture(capture))
  }
  const verified = await limited('verify', captures)
  expect(verified).toMatchObject({ code: 0, err: '400 requests, 400 valid, 0 rejected.\n' })
  const valid = verified.out.matchAll(/^✓ (\S+) {2}valid /gm)
  expect(Array.from(valid, ([, path]) => path)).toEqual(paths.toReversed())
  const replayed = await limited('replay', captures, url)
  expect(replayed).toMatchObject({ code: 0, err: '400 sent, 400 accepted.\n' })
  expect(deliveries).toHaveLength(400)
})
