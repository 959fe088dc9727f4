import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { slack } from '@webhook-receiver/schemes'
import { expect, it, test, vi } from 'vitest'
import { folder } from './folder.ts'
import { invoke, start } from './invoke.ts'
import { receiver } from './receiver.ts'

const RIGHT = '0123456789abcdef0123456789abcdef'
const WRONG = 'f'.repeat(32)

/** Sends to a receiver that has RIGHT, from a folder with these files. */
async function send(
  env: Readonly<Record<string, string>>,
  files: Readonly<Record<string, string | Buffer>>,
) {
  const path = await folder()
  for (const [name, content] of Object.entries(files)) await writeFile(join(path, name), content)
  vi.spyOn(process, 'cwd').mockReturnValue(path)
  const { url } = await receiver(RIGHT, { scheme: slack })
  return invoke(['send', url, '--scheme', 'slack'], { env: { WEBHOOK_SECRET: '', ...env } })
}

it.each([
  ['its own variable', { SLACK_SIGNING_SECRET: RIGHT, WEBHOOK_SECRET: WRONG }, {}],
  ['WEBHOOK_SECRET, without its own', { WEBHOOK_SECRET: RIGHT }, {}],
  [
    'the environment before a file',
    { WEBHOOK_SECRET: RIGHT },
    { '.env': `SLACK_SIGNING_SECRET=${WRONG}` },
  ],
  ['.env', {}, { '.env': `# it\r\nSLACK_SIGNING_SECRET="${RIGHT}"\r\n` }],
  ['.dev.vars', {}, { '.dev.vars': `WEBHOOK_SECRET=${RIGHT}` }],
])('the secret of a service comes from %s', async (_, env, files) => {
  const { out, code } = await send(env, files)
  expect(out).toContain('accepted with 200')
  expect(code).toBe(0)
})

test.each(['listen', 'emulate'])('%s names the variable of the service', async (command) => {
  const forward = command === 'emulate' ? ['--forward', 'http://localhost:1/slack'] : []
  const args = [command, '--scheme', 'slack', '--port', '0', ...forward]
  const running = start(args, { env: { SLACK_SIGNING_SECRET: RIGHT } })
  await running.until(/Secret +from SLACK_SIGNING_SECRET/)
  running.interrupt()
  await running.ended
})
