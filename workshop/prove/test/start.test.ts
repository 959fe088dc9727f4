import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { freePorts } from '../free-ports.mjs'
import { PART } from '../lists.mjs'
import { type Application, startProgram, stopPrograms } from '../program.mjs'
import { untilListening } from '../receive.mjs'
import { followRunbook } from './runbook.ts'

const root = join(import.meta.dirname, '../../..')
const page = readFileSync(join(root, 'docs/start.md'), 'utf8')
const secret = /^export WEBHOOK_SECRET=(\S+)$/m.exec(page)?.[1] ?? ''
const [, frameworks = ''] = /^<!-- choose: framework -->$(.*?)^<!-- end -->$/ms.exec(page) ?? []
const sections = frameworks.split(/^### /m).slice(1)
const servers = sections.flatMap((section) => {
  const framework = section.slice(0, section.indexOf('\n'))
  const [, name = '', code = ''] = /^```ts \[(\S+)\]\n(.*?)^```$/ms.exec(section) ?? []
  const settings = [...section.matchAll(/^```json \[(\S+)\]\n(.*?)^```$/gms)].map(
    ([, file = '', content = '']) => ({ file, content }),
  )
  return name === '' ? [] : [{ framework, name, code, settings }]
})

/** For what hardly differs between them. */
const some = PART ? servers.filter((_, at) => at % 4 === 0) : servers

afterAll(() => stopPrograms('SIGKILL'))

test('each section has a complete server', () => {
  const names = sections.map((section) => section.slice(0, section.indexOf('\n')))
  // What needs a framework that the checkout does not have, `npm run prove -- start` runs.
  const elsewhere = ['SvelteKit', 'Nuxt', 'Elysia']
  expect(servers.map(({ framework }) => framework)).toEqual(
    names.filter((name) => !elsewhere.includes(name)),
  )
})

test.each(servers)('the server for $framework does what docs/start.md says', async (server) => {
  const example = await start(server, secret)
  const [valid, forged, ...others] = page.matchAll(/^npx webhook-receiver (.*)$/gm)
  expect(others).toEqual([])

  expect(await send(valid?.[1], secret, example.port)).toMatch(/\b204\b/)
  expect(await send(forged?.[1], secret, example.port)).toMatch(/\b401\b/)
  // And the runbook of WebhookNothingArrives.
  if (some.includes(server)) await followRunbook(`http://localhost:${example.port}/webhooks`)

  const { stdout, stderr } = await example.stop()
  const handled = stdout.split('\n').filter((line) => line !== '')
  expect(handled).toEqual([expect.stringMatching(/^message\.received [0-9a-f-]{36}$/)])
  expect(stderr).toContain('401 signature_mismatch')
})

test.each(some)('the server for $framework accepts nothing without a secret', async (server) => {
  const example = await start(server, '').catch((ended: Error) => ended)
  if (example instanceof Error) {
    expect(example.message).toContain('TypeError: The secret is empty')
  } else {
    const command = 'send message.received http://localhost:3000/webhooks'
    expect(await send(command, 'whsec_x', example.port)).toMatch(/\b503\b/)
    await example.stop()
  }
})

interface Server {
  readonly framework: string
  readonly name: string
  readonly code: string
  /** Files that the server needs beside it. */
  readonly settings: readonly { readonly file: string; readonly content: string }[]
}

async function start(
  { framework, name, code, settings }: Server,
  key: string,
): Promise<Application> {
  // A module that speaks Request needs a server, which on its platform is there.
  const isWeb = ['Next.js', 'Bun and Deno', 'Workers'].includes(framework)
  const server = isWeb ? [join(import.meta.dirname, 'web-process.ts')] : []
  const args = ['--import', 'tsx', ...server, basename(name)]
  const [port = 0] = await freePorts(1)
  const cwd = folderWith(code.replaceAll('3000', String(port)), name)
  for (const { file, content } of settings) writeFileSync(join(cwd, file), content)
  const env = { PORT: String(port), WEBHOOK_SECRET: key }
  const program = startProgram(process.execPath, args, { cwd, env })
  await untilListening(port, program).catch(async () => {
    throw new Error((await program.ended).stderr)
  })
  return { ...program, port }
}

/** Inside the package, so that the server imports what the checkout has installed; gone when the test is over. */
function folderWith(code: string, name: string): string {
  const folder = mkdtempSync(join(import.meta.dirname, '.start-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, basename(name)), code)
  return folder
}

/** What the command of a page prints, with the server on another port. */
async function send(command = '', key: string, port: number): Promise<string> {
  const cli = join(root, 'packages/cli/bin/webhook-receiver.js')
  const args = command.replace('localhost:3000', `localhost:${port}`).split(' ')
  const env = { ...process.env, WEBHOOK_SECRET: key }
  const sent = promisify(execFile)(process.execPath, [cli, ...args], { env })
  const { stdout } = await sent.catch((failed: { stdout: string }) => failed)
  return stdout
}
