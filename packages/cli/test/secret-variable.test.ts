import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, test, vi } from 'vitest'
import { folder } from './folder.ts'
import { invoke, words } from './invoke.ts'
import { receiverOf } from './receiver.ts'

const RIGHT = '0123456789abcdef0123456789abcdef'
const WRONG = 'f'.repeat(32)

/** Works in a folder with these files. */
async function working(files: Readonly<Record<string, string | Buffer>>) {
  const path = await folder()
  for (const [name, content] of Object.entries(files)) await writeFile(join(path, name), content)
  vi.spyOn(process, 'cwd').mockReturnValue(path)
  return path
}

/** Sends to a receiver that has RIGHT, from a folder with these files. */
async function send(env: Readonly<Record<string, string>>, files: Parameters<typeof working>[0]) {
  await working(files)
  const { url, flags } = await receiverOf('slack', RIGHT)
  return invoke(['send', url, ...flags], { env: { WEBHOOK_SECRET: '', ...env } })
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

it.each([
  ['the environment', { SLACK_SIGNING_SECRET: RIGHT }, {}],
  ['.env', {}, { '.env': `SLACK_SIGNING_SECRET=${RIGHT}` }],
])(
  'without a secret, the service whose variable is set in %s is named, unless another one is',
  async (_, variables, files) => {
    await working(files)
    const advice = async (...flags: readonly string[]) => {
      const env = { WEBHOOK_SECRET: '', ...variables }
      const { err } = await invoke(['send', 'http://localhost:1/', ...flags], { env })
      return err.includes('Use --scheme slack.')
    }
    expect([await advice(), await advice('--scheme', 'stripe')]).toEqual([true, false])
  },
)

test('several secrets are found in .env, as one is, and the one that is missing is named', async () => {
  const env = `NEW=${RIGHT}\nOLD=${WRONG}\n`
  const path = await working({ '.env': env, headers: 'X-Slack-Signature: v0=00\n' })
  const files = ['--headers', join(path, 'headers'), '--body', join(path, 'headers')]
  const args = words`verify ${files} --scheme slack --secret-env`
  expect((await invoke([...args, 'NEW,OLD'])).out).toContain('rejected 401')
  const { code, err } = await invoke([...args, 'NEW,OLDER'])
  expect([code, err]).toEqual([
    2,
    'error: There is no secret: set OLDER in the environment or .env.\n',
  ])
})
