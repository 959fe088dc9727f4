import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { startProgram } from '@webhook-receiver/checks/program.mjs'
import { createEmulator } from '@webhook-receiver/emulator'
import { describe, expect, it, onTestFinished } from 'vitest'
import { folder } from './folder.ts'
import { API_KEY } from './invoke.ts'

const read = (path: string) => new URL(`../${path}`, import.meta.url).pathname
const STARTS = [
  ['its shebang', [read('bin/webhook-receiver.js')]],
  ['node bin/webhook-receiver.js', [process.execPath, read('bin/webhook-receiver.js')]],
  ['node dist/main.js', [process.execPath, read('dist/main.js')]],
] as const

/** Node takes some flags for itself wherever they stand, so only a real process shows what arrives. */
async function run(
  [file, ...before]: readonly string[],
  args: readonly string[],
  cwd: string,
  WEBHOOK_BASE_URL = '',
) {
  const { PATH, HOME } = process.env
  const env = { PATH, HOME, WEBHOOK_API_KEY: API_KEY, WEBHOOK_BASE_URL }
  return new Promise<{ code: unknown; err: string }>((resolve) => {
    execFile(String(file), [...before, ...args], { cwd, env, timeout: 200_000 }, (error, _, err) =>
      resolve({ code: error === null ? 0 : error.code, err }),
    )
  })
}

/** The words of the calls with --dotenv in a text. */
function calls(text: string, command: string): readonly (readonly string[])[] {
  const lines = text.split('\n').map((line) => /webhook-receiver (.*--dotenv.*)$/.exec(line)?.[1])
  return lines.flatMap((line) => (line?.startsWith(command) ? [line.trim().split(/\s+/)] : []))
}

describe.each(STARTS)('started by %s, --dotenv', (_, start) => {
  it('sets the variable in a new file and in one that Node would read for itself', async () => {
    const emulator = createEmulator({ apiKey: API_KEY })
    await emulator.start()
    onTestFinished(() => emulator.stop())
    const [args = []] = calls(await readFile(read('README.md'), 'utf8'), 'register')
    const directory = await folder()
    const path = join(directory, '.env')
    const fresh = await run(start, args, directory, emulator.baseUrl)
    expect(fresh).toEqual({ code: 0, err: '' })
    expect(await readFile(path, 'utf8')).toMatch(/^WEBHOOK_SECRET=whsec_\S+\n$/)
    await writeFile(path, 'NODE_OPTIONS=--no-such-flag\nWEBHOOK_API_KEY=wrong\n')
    const existing = await run(start, args, directory, emulator.baseUrl)
    expect(existing).toEqual({ code: 0, err: '' })
    expect(await readFile(path, 'utf8')).toMatch(
      /^NODE_OPTIONS=--no-such-flag\nWEBHOOK_API_KEY=wrong\nWEBHOOK_SECRET=whsec_\S+\n$/,
    )
  })

  it('is known to emulate', async () => {
    const directory = await folder()
    const forward = ['emulate', '--forward', 'http://127.0.0.1:1/', '--wait', '0.1']
    const { code, err } = await run(start, [...forward, '--dotenv', '.env'], directory)
    expect(err).toContain('node --env-file=.env server.js')
    expect(err).toContain('No receiver listens at 127.0.0.1:1 after 0.1 s')
    expect(code).toBe(1)
    expect(await readFile(join(directory, '.env'), 'utf8')).toMatch(/^WEBHOOK_SECRET=whsec_/)
  })
})

it('loads the inspector only where --ui or --open asks for it', async () => {
  const bundle = await readFile(read('dist/main.js'), 'utf8')
  expect(bundle).toMatch(/await import\("\.\/\w+\.js"\)/)
  expect(bundle).not.toContain('text/event-stream')
  expect(bundle).not.toContain('@webhook-receiver/inspector')
})

it('loads the schemes only where one is named', async () => {
  const bundle = await readFile(read('dist/main.js'), 'utf8')
  expect(bundle).toContain('import("@webhook-receiver/schemes")')
  expect(bundle).not.toMatch(/from\s*"@webhook-receiver\/schemes/)
})

it.skipIf(process.platform !== 'linux')('opens the page in the browser with --open', async () => {
  const home = await folder()
  const opened = join(home, 'opened')
  await writeFile(join(home, 'xdg-open'), `#!/bin/sh\nprintf %s "$1" > ${opened}\n`, {
    mode: 0o755,
  })
  const program = startProgram(
    process.execPath,
    [read('bin/webhook-receiver.js'), 'emulate', '--open', '--scenario', 'none'],
    { env: { ...process.env, PATH: `${home}:${process.env.PATH}` } },
  )
  onTestFinished(async () => void (await program.stop()))
  const url = await program.printed(/Inspector +(\S+)/)
  await expect.poll(() => readFile(opened, 'utf8').catch(() => '')).toBe(url)
  expect((await fetch(url ?? '')).status).toBe(200)
})
