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

test('several secrets are found in .env, as one is, and the one that is missing is named', async () => {
  const path = await folder()
  await writeFile(join(path, '.env'), `NEW=${RIGHT}\nOLD=${WRONG}\n`)
  vi.spyOn(process, 'cwd').mockReturnValue(path)
  await writeFile(join(path, 'headers'), 'X-Slack-Signature: v0=00\n')
  const files = ['--headers', join(path, 'headers'), '--body', join(path, 'headers')]
  const args = ['verify', ...files, '--scheme', 'slack', '--secret-env']
  expect((await invoke([...args, 'NEW,OLD'])).out).toContain('rejected 401')
  const { code, err } = await invoke([...args, 'NEW,OLDER'])
  expect([code, err]).toEqual([
    2,
    'error: There is no secret: set OLDER in the environment or .env.\n',
  ])
})

test.each([
  [{ SLACK_SIGNING_SECRET: `"${RIGHT}"` }, [], 'SLACK_SIGNING_SECRET is in quotes: remove them.'],
  [{}, ['--secret-file', 'quoted'], '--secret-file: quoted is in quotes: remove them.'],
  [
    { NEW: RIGHT, OLD: ` ${WRONG}` },
    ['--secret-env', 'NEW,OLD'],
    'OLD has white space around it: trim it.',
  ],
])('a fault of a secret names its place', async (env, more, fault) => {
  const path = await folder()
  await writeFile(join(path, 'quoted'), `"${RIGHT}"`)
  const args = more.map((each) => (each === 'quoted' ? join(path, each) : each))
  const { code, err } = await invoke(['listen', '--scheme', 'slack', ...args], { env })
  const said = err.replaceAll(/\s+/g, ' ').replace(`${path}/`, '')
  expect([code, said]).toEqual([2, `error: ${fault} `])
})
