import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { webhookHandler } from '@webhook-receiver/node'
import { expect, it } from 'vitest'
import { findScheme } from '../src/options/find-scheme.ts'
import { folder } from './folder.ts'
import { invoke, words } from './invoke.ts'
import { receiverOf, serving } from './receiver.ts'

const SERVICES = [
  ...['telnyx', 'sendgrid', 'wise', 'discord-events', 'discord-interactions'],
  'standard-webhooks',
]

/** A pair that the command has written, and a server with its public key. */
async function paired(name: string) {
  const path = join(await folder(), 'test')
  const made = await invoke(['keys', name, '--out', path])
  expect([made.code, made.err]).toEqual([0, ''])
  const server = await receiverOf(name, (await readFile(`${path}.pub`, 'utf8')).trimEnd())
  return { ...server, path, made, key: [...server.flags, '--secret-file', `${path}.key`] }
}

it.each(SERVICES)('a pair for %s signs what a server with its public key takes', async (name) => {
  const { path, made, url, deliveries, key } = await paired(name)
  expect((await stat(`${path}.key`)).mode & 0o777).toBe(0o600)
  expect(made.out).not.toContain('PRIVATE KEY')
  const sent = await invoke(words`send test ${url} ${key}`)
  const err = sent.err.replace(/.*no names of events.*\n|There is no sample[\s\S]*anyway\.\n/, '')
  expect([sent.code, err, deliveries.length]).toEqual([0, '', 1])
  for (const tamper of ['body', 'signature', 'secret', 'unsigned', 'signature_encoding']) {
    const { code, out } = await invoke(words`send test ${url} ${key} --tamper ${tamper}`)
    expect([tamper, code, out]).toEqual([tamper, 0, expect.stringContaining('with 401')])
  }
  expect(deliveries).toHaveLength(1)
})

it('emulate makes a pair itself, and keeps it', async () => {
  const home = await folder()
  const env = { WEBHOOK_SECRET: '', XDG_CACHE_HOME: home }
  const { scheme } = await findScheme('telnyx')
  const server = { respond: webhookHandler(`${'A'.repeat(43)}=`, () => {}, { scheme: undefined }) }
  const url = `${await serving((req, res) => void server.respond(req, res))}/webhooks`
  const args = words`emulate --forward ${url} --scheme telnyx --count 1`
  args.push('--retries', 'none')
  const first = await invoke(args, { env })
  const [, publicKey = ''] = /export \w+='([^']+)'/.exec(first.out + first.err) ?? []
  server.respond = webhookHandler(publicKey, () => {}, { scheme } as never) as never
  expect([(await invoke(args, { env })).code, first.code]).toEqual([0, 1])
})
