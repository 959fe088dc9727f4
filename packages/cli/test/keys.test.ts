import { chmod, readFile, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { webhookHandler } from '@webhook-receiver/node'
import { expect, it } from 'vitest'
import { findScheme } from '../src/options/find-scheme.ts'
import { folder } from './folder.ts'
import { invoke } from './invoke.ts'
import { receiver, serving } from './receiver.ts'

const SERVICES = [
  ...['telnyx', 'sendgrid', 'wise', 'discord-events', 'discord-interactions'],
  'standard-webhooks',
]

/** A pair that the command has written, and a server with its public key. */
async function paired(name: string) {
  const path = join(await folder(), 'test')
  const made = await invoke(['keys', name, '--out', path])
  expect([made.code, made.err]).toEqual([0, ''])
  const { scheme } = await findScheme(name)
  const secret = (await readFile(`${path}.pub`, 'utf8')).trimEnd()
  const server = await receiver(secret, { scheme })
  return { ...server, path, made, key: ['--scheme', name, '--secret-file', `${path}.key`] }
}

it.each(SERVICES)('a pair for %s signs what a server with its public key takes', async (name) => {
  const { path, made, url, deliveries, key } = await paired(name)
  expect((await stat(`${path}.key`)).mode & 0o777).toBe(0o600)
  expect(made.out).not.toContain('PRIVATE KEY')
  const sent = await invoke(['send', 'test', url, ...key])
  const err = sent.err.replace(/.*no names of events.*\n/, '')
  expect([sent.code, err, deliveries.length]).toEqual([0, '', 1])
  for (const tamper of ['body', 'signature', 'secret', 'unsigned', 'signature_encoding']) {
    const { code, out } = await invoke(['send', 'test', url, ...key, '--tamper', tamper])
    expect([tamper, code, out]).toEqual([tamper, 0, expect.stringContaining('with 401')])
  }
  expect(deliveries).toHaveLength(1)
})

it('emulate forwards what a pair has signed, and says what the server needs', async () => {
  const { url, deliveries, key, path } = await paired('telnyx')
  const forward = ['--forward', url, '--count', '3', '--rate', '1000']
  const faults = ['--faults', 'wrong-secret,message_body_alone', '--fault-rate', '1', '--seed', '1']
  const { code, out, err } = await invoke(['emulate', ...forward, ...faults, ...key])
  const publicKey = (await readFile(`${path}.pub`, 'utf8')).trim()
  expect([code, out + err]).toEqual([
    0,
    expect.stringContaining(`export WEBHOOK_SECRET='${publicKey}'`),
  ])
  expect(deliveries).toHaveLength(3)
})

it('emulate makes a pair itself, and keeps it', async () => {
  const home = await folder()
  const env = { WEBHOOK_SECRET: '', XDG_CACHE_HOME: home }
  const { scheme } = await findScheme('telnyx')
  const server = { respond: webhookHandler(`${'A'.repeat(43)}=`, () => {}, { scheme: undefined }) }
  const url = `${await serving((req, res) => void server.respond(req, res))}/webhooks`
  const args = ['emulate', '--forward', url, '--scheme', 'telnyx', '--count', '1']
  args.push('--retries', 'none')
  const first = await invoke(args, { env })
  const [, publicKey = ''] = /export \w+='([^']+)'/.exec(first.out + first.err) ?? []
  server.respond = webhookHandler(publicKey, () => {}, { scheme } as never) as never
  expect([(await invoke(args, { env })).code, first.code]).toEqual([0, 1])
})

it('replaces a file only with --force', async () => {
  const { path } = await paired('telnyx')
  const before = await readFile(`${path}.key`, 'utf8')
  expect((await invoke(['keys', 'telnyx', '--out', path])).code).toBe(2)
  expect(await readFile(`${path}.key`, 'utf8')).toBe(before)
  // Whoever could read the old file does not get the new key.
  const elsewhere = join(path, '..', 'elsewhere')
  await writeFile(elsewhere, 'not a key')
  await chmod(`${path}.key`, 0o644)
  await invoke(['keys', 'telnyx', '--out', path, '--force'])
  expect(await readFile(`${path}.key`, 'utf8')).not.toBe(before)
  expect((await stat(`${path}.key`)).mode & 0o777).toBe(0o600)
  const linked = join(path, '..', 'linked')
  await symlink(elsewhere, `${linked}.key`)
  await invoke(['keys', 'telnyx', '--out', linked, '--force'])
  expect(await readFile(elsewhere, 'utf8')).toBe('not a key')
})
