import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { startProgram } from '@webhook-receiver/checks/program.mjs'
import { expect, it, onTestFinished } from 'vitest'
import { folder } from './folder.ts'

const read = (path: string) => new URL(`../${path}`, import.meta.url).pathname

it('loads the inspector only where --ui or --open asks for it', async () => {
  const bundle = await readFile(read('dist/main.js'), 'utf8')
  expect(bundle).toMatch(/await import\("\.\/\w+\.js"\)/)
  expect(bundle).not.toContain('text/event-stream')
  expect(bundle).not.toContain('@webhook-receiver/inspector')
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
