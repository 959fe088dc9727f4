import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { freePorts } from '@webhook-receiver/tools/free-ports.mjs'
import {
  type Application,
  startApplication,
  stopPrograms,
} from '@webhook-receiver/tools/program.mjs'
import { afterAll, expect, onTestFinished, test } from 'vitest'

const root = join(import.meta.dirname, '../../..')
// What needs a framework that the checkout does not have, `npm run trials` runs.
const pages = readdirSync(join(root, 'docs/start')).filter(
  (page) => !/^```.* needs=/m.test(readFileSync(join(root, 'docs/start', page), 'utf8')),
)
const servers = pages.flatMap((page) => {
  const text = readFileSync(join(root, 'docs/start', page), 'utf8')
  const blocks = [...text.matchAll(/^```ts \[(\S+)\]\n(.*?)^```$/gms)]
  const settings = [...text.matchAll(/^```json \[(\S+)\]\n(.*?)^```$/gms)].map(
    ([, file = '', content = '']) => ({ file, content }),
  )
  return blocks.map(([, name = '', code = '']) => ({ page, name, code, text, settings }))
})

afterAll(() => stopPrograms('SIGKILL'))

test('each page has a complete server', () => {
  expect([...new Set(servers.map(({ page }) => page))]).toEqual(pages)
})

test.each(servers)('$name of docs/start/$page does what the page says', async (server) => {
  const secret = /^export WEBHOOK_SECRET=(\S+)$/m.exec(server.text)?.[1] ?? ''
  const example = await start(server, secret)
  const [genuine, forged, ...others] = server.text.matchAll(/^npx @webhook-receiver\/cli (.*)$/gm)
  expect(others).toEqual([])

  expect(await send(genuine?.[1], secret, example.port)).toMatch(/\b204\b/)
  expect(await send(forged?.[1], secret, example.port)).toMatch(/\b401\b/)

  const { stdout, stderr } = await example.stop()
  const handled = stdout.split('\n').filter((line) => !/^Listening on |^$/.test(line))
  expect(handled).toEqual([expect.stringMatching(/^message\.received [0-9a-f-]{36}$/)])
  expect(stderr).toContain('401 signature_mismatch')
})

test.each(servers)('$name of docs/start/$page accepts nothing without a secret', async (server) => {
  const example = await start(server, '').catch((ended: Error) => ended)
  if (example instanceof Error) {
    expect(example.message).toContain('TypeError: The secret is empty')
  } else {
    const answered = await send(
      'send message.received http://localhost:3000/webhooks',
      'whsec_x',
      example.port,
    )
    expect(answered).toMatch(/\b503\b/)
    await example.stop()
  }
})

interface Server {
  readonly page: string
  readonly name: string
  readonly code: string
  /** Files that the server needs beside it. */
  readonly settings: readonly { readonly file: string; readonly content: string }[]
}

async function start({ page, name, code, settings }: Server, secret: string): Promise<Application> {
  // A module that speaks Request needs a server, which on its platform is there.
  const server = page === 'request.md' ? [join(import.meta.dirname, 'web-process.ts')] : []
  const args = ['--import', 'tsx', ...server, basename(name)]
  const [port = 0] = await freePorts(1)
  const cwd = folderWith(code, name)
  for (const { file, content } of settings) writeFileSync(join(cwd, file), content)
  return startApplication(args, { cwd, secret, port })
}

/** Inside the package, so that the server imports what the checkout has installed; gone when the test is over. */
function folderWith(code: string, name: string): string {
  const folder = mkdtempSync(join(import.meta.dirname, '.start-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, basename(name)), code)
  return folder
}

/** What the command of a page prints, with the server on another port. */
async function send(command = '', secret: string, port: number): Promise<string> {
  const cli = join(root, 'packages/cli/bin/webhook-receiver.js')
  const args = command.replace('localhost:3000', `localhost:${port}`).split(' ')
  const env = { ...process.env, WEBHOOK_SECRET: secret }
  const sent = promisify(execFile)(process.execPath, [cli, ...args], { env })
  const { stdout } = await sent.catch((failed: { stdout: string }) => failed)
  return stdout
}
