import { spawn, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { cliArguments, ROOT, spawnCli } from './command-line.ts'
import { folder } from './folder.ts'
import { SECRET, words } from './invoke.ts'
import { receiver } from './receiver.ts'

/** Gives a program a terminal. */
const SCRIPT = '/usr/bin/script'

/** A file on a disk that is full. */
const FULL = '/dev/full'

describe('as a process', () => {
  it('emulate and listen talk to each other until Ctrl-C', async () => {
    const secretFile = join(await folder(), 'secret')
    const holder = spawnCli(words`listen --port 0 --no-verify`)
    const free = (await holder.printed(/Listening on +(\S+)\s/)) ?? ''
    const args = words`emulate --forward ${free} --rate 50 --write-secret ${secretFile}`
    const emulate = spawnCli(args)
    await emulate.printed(/message\.read/)
    const { code, stdout } = await emulate.stop('SIGINT')
    expect(code).toBe(0)
    expect(stdout).toMatch(/\d+ of \d+ deliveries accepted.*\.\n$/)
    expect(stdout).not.toContain((await readFile(secretFile, 'utf8')).trim())
    const stderr = expect.stringMatching(/\d+ requests/)
    expect(await holder.stop()).toMatchObject({ code: 0, stderr })
  })

  it('doctor hands no secret and no key to the command of --observe', async () => {
    const path = join(await folder(), 'env')
    const [old, apiKey] = ['whsec_old+secret/1a', 'key-of-the-service-44e1']
    const given = {
      HOOK_KEY: SECRET,
      WEBHOOK_SECRET: old,
      WEBHOOK_API_KEY: apiKey,
      COPY: SECRET,
      HEADER: `Authorization: Bearer ${apiKey}`,
    }
    const observe = `env > '${path}'; echo 7 # {id}`
    const args = words`doctor http://localhost:1/ --secret-env HOOK_KEY --observe ${observe}`
    const { code, stderr } = await spawnCli(args, { ...given, HARMLESS: 'yes' }).ended
    expect(stderr).toContain('--observe reports 7')
    expect(code).toBe(2)
    const seen = await readFile(path, 'utf8')
    expect(seen).toMatch(/^HARMLESS=yes$/m)
    expect(seen).toMatch(/^PATH=/m)
    for (const [name, value] of Object.entries(given)) {
      expect(seen).not.toMatch(new RegExp(`^${name}=`, 'm'))
      expect(seen).not.toContain(value)
    }
  })

  it.skipIf(!existsSync(FULL))('says in one line that the disk of its output is full', () => {
    const cli = [process.execPath, ...cliArguments(['schemes'])]
    const options = { cwd: ROOT, encoding: 'utf8' } as const
    const { status, stderr } = spawnSync('sh', ['-c', `"$@" > ${FULL}`, 'sh', ...cli], options)
    expect([status, stderr]).toEqual([1, 'error: ENOSPC: no space left on device, write.\n'])
  })

  it.skipIf(!existsSync(SCRIPT))(
    'asks for the secret on a terminal and has colours there',
    async () => {
      const { url } = await receiver()
      const cli = [process.execPath, ...cliArguments(['send', 'message.read', url])].join(' ')
      const { PATH, HOME, TMPDIR } = process.env
      const terminal = spawn(SCRIPT, ['-qec', cli, '/dev/null'], {
        cwd: ROOT,
        env: { PATH, HOME, TMPDIR, TERM: 'xterm' },
        stdio: ['pipe', 'pipe', 'ignore'],
      })
      let shown = ''
      terminal.stdout.on('data', (chunk) => {
        shown += chunk
      })
      await expect.poll(() => shown).toContain('secret (not shown): ')
      terminal.stdin.write(`${SECRET}\r`)
      await expect.poll(() => shown).toContain('\u001b[32m204')
      expect(shown).not.toContain(SECRET)
      terminal.kill('SIGKILL')
    },
  )

  it('stops where nobody reads any more', async () => {
    const listen = spawnCli(words`listen --port 0 --no-verify`)
    const url = (await listen.printed(/Listening on +(\S+)\s/)) ?? ''
    listen.child.stdout?.destroy()
    for (let count = 0; count < 3 && listen.child.exitCode === null; count++) {
      await fetch(url).catch(() => {})
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    await expect.poll(() => listen.child.exitCode).toBe(0)
  })
})
