import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { firstSteps } from '../../site/services/first-steps.mjs'
import { services } from '../../site/services/services.mjs'
import { isChanged } from '../changed.mjs'
import { codeBlocks } from '../documents/code-blocks.mjs'
import { FRAMEWORKS, sectionOf, trialsOf } from '../documents/start-page.mjs'
import { freePorts } from '../free-ports.mjs'
import { PART } from '../lists.mjs'
import { type Application, startProgram, stopPrograms } from '../program.mjs'
import { untilListening } from '../receive.mjs'
import { followRunbook } from './runbook.ts'

const root = join(import.meta.dirname, '../../..')
// What needs a framework that the checkout does not have, `npm run prove -- start` runs.
const elsewhere = ['SvelteKit', 'Nuxt', 'Elysia']
const all = FRAMEWORKS.filter((name) => !elsewhere.includes(name)).map(serverOf)
const { secret, valid, forged } = all[0] as Server

/** With PART, a few, or all where this change touches the page. */
const servers = PART && !isChanged('docs/start.md') ? all.filter((_, at) => at % 4 === 0) : all

afterAll(() => stopPrograms('SIGKILL'))

test.each(servers)('the server for $framework does what docs/start.md says', async (server) => {
  const env = { STRIPE_WEBHOOK_SECRET: secret }
  const example = await start(server, env)
  expect(await send(valid, env, example.port)).toMatch(/\b204\b/)
  expect(await send(forged, env, example.port)).toMatch(/\b401\b/)
  // And the runbook of WebhookNothingArrives.
  await followRunbook(`http://localhost:${example.port}/webhooks/stripe`)

  const { stdout, stderr } = await example.stop()
  const handled = stdout.split('\n').filter((line) => line !== '')
  expect(handled).toEqual([expect.stringMatching(/^invoice\.paid evt_[0-9a-f]{32}$/)])
  expect(inOneLine(stderr)).toContain(inOneLine(server.logged))
})

/** The services whose secrets look different, each on another framework. */
const SENDERS = ['stripe', 'github', 'openai', 'slack', 'paddle']

test.each(servers.map(({ framework }, at) => ({ framework, name: SENDERS[at % SENDERS.length] })))(
  'the steps of the site for $name on $framework end in success, with the secret that they make up, and a changed body in the line of the log',
  async ({ framework, name }) => {
    const service = services.find((each) => each.name === name)
    const steps = firstSteps(service, framework, sectionOf(framework))
    const blocks = codeBlocks(steps.join('\n\n'))
    const shell = blocks.filter(({ language }) => language === 'sh').map(({ code }) => code)
    const [, install = '', starting = '', sending = '', tampering = ''] = shell
    expect(install).toMatch(/@webhook-receiver\/[\w-]+ (?:npm:)?@webhook-receiver\/schemes$/m)
    const [, variable = '', key = ''] = /^export (\w+)=(\S+)$/m.exec(sending) ?? []
    const env = { [variable]: key }
    expect(starting).toMatch(new RegExp(`(?:^export |--var )${variable}[=:]${key}$`, 'm'))
    // The Pages Router has another route, which is that of `add`.
    const files = blocks.filter(({ file }) => file && !file.startsWith('pages/'))
    expect(files.filter(({ file }) => /\.(?:test|spec)\./.test(file))).toEqual([])
    const { file: last, code } = files.at(-1) ?? { file: '', code: '' }
    // Commands such as `next dev` name no file.
    if (/\.ts\b/.test(starting)) expect(starting).toContain(` ${last}`)
    const example = await start({ framework, file: last, code, settings: files.slice(0, -1) }, env)
    const sent = (lines: string) => send(commandOf(lines), env, example.port)
    expect(await sent(sending)).toMatch(new RegExp(`\\b${service?.application.status}\\b`))
    expect(await sent(tampering)).toMatch(/\b401\b/)
    const { stdout, stderr } = await example.stop()
    expect(stdout).toContain(service?.event)
    const { code: logged = '' } = blocks.findLast(({ language }) => language === 'text') ?? {}
    // What stands for the rest is left out.
    for (const part of inOneLine(logged).split('…'))
      expect(inOneLine(stderr)).toContain(part.trim())
  },
)

/** As a page breaks lines elsewhere, and what is logged of a request that came as a `Request` names no sender. */
function inOneLine(text: string): string {
  return text.replaceAll(/ from [\d.:a-f]+(?=:\n)/g, '').replaceAll(/\s+/g, ' ')
}

/** What `npx webhook-receiver` is called with, of lines that may end in `\`. */
function commandOf(lines: string): string {
  const [, command = ''] = /^npx webhook-receiver (.*)/ms.exec(lines) ?? []
  return command.replaceAll(/\s+\\?\s*/g, ' ').trim()
}

type Server = ReturnType<typeof serverOf>

/** The server of a section, with what its page sends. */
function serverOf(framework: string) {
  const [trial] = trialsOf(framework)
  if (!trial) throw new Error(`docs/start.md has no server on ${framework}.`)
  const { valid, forged } = trial
  const secret = /^export STRIPE_WEBHOOK_SECRET=(\S+)$/m.exec(valid)?.[1] ?? ''
  return { ...trial, secret, valid: commandOf(valid), forged: commandOf(forged) }
}

async function start(
  {
    framework,
    file: name,
    code,
    settings,
  }: Pick<Server, 'framework' | 'file' | 'code' | 'settings'>,
  variables: Readonly<Record<string, string>>,
): Promise<Application> {
  // A module that speaks Request needs a server, which on its platform is there.
  const isWeb = ['Next.js', 'Bun', 'Deno', 'Workers'].includes(framework)
  const [port = 0] = await freePorts(1)
  const cwd = folderWith(code.replaceAll('3000', String(port)), name)
  for (const { file, code: content } of settings) {
    mkdirSync(dirname(join(cwd, file)), { recursive: true })
    writeFileSync(join(cwd, file), content)
  }
  const file = join(cwd, basename(name))
  const served = isWeb ? [join(import.meta.dirname, '../serve.mjs'), file, String(port)] : [file]
  const args = ['--import', 'tsx', ...served]
  // As the lines that start it: what a framework's own command does is to set NODE_ENV, too.
  const env = { PORT: String(port), NODE_ENV: 'development', ...variables }
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
async function send(
  command: string,
  variables: Readonly<Record<string, string>>,
  port: number,
): Promise<string> {
  const cli = join(root, 'packages/cli/bin/webhook-receiver.js')
  const args = command.replace('localhost:3000', `localhost:${port}`).split(' ')
  const env = { ...process.env, ...variables }
  const sent = promisify(execFile)(process.execPath, [cli, ...args], { env })
  const { stdout } = await sent.catch((failed: { stdout: string }) => failed)
  return stdout
}
