import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { signDelivery } from '@webhook-receiver/core/testing'
import { github, standardWebhooks, stripe } from '@webhook-receiver/schemes'
import { afterAll, expect, test } from 'vitest'
import { exampleFolder } from '../example.mjs'
import { stopPrograms } from '../program.mjs'
import { copyExample, startCompiled, startExample } from './example.ts'

const env = {
  STRIPE_SECRET: 'whsec_made_up_secret_for_tests',
  GITHUB_SECRET: 'try_me',
  ACME_SECRET: `whsec_${Buffer.from('try_me_please_try_me').toString('base64')}`,
}

afterAll(() => stopPrograms('SIGKILL'))

interface Sent {
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array<ArrayBuffer>
}

async function fromStripe(id: string): Promise<Sent> {
  const invoice = { object: 'invoice', amount_paid: 1200, currency: 'eur' }
  const event = { id, object: 'event', type: 'invoice.paid', data: { object: invoice } }
  return { path: '/stripe', ...(await signDelivery(env.STRIPE_SECRET, event, { scheme: stripe })) }
}

async function fromGitHub(id: string): Promise<Sent> {
  const options = { scheme: github, id, event: 'push' } as const
  const sent = await signDelivery(env.GITHUB_SECRET, { ref: 'refs/heads/main' }, options)
  return { path: '/github', ...sent }
}

async function fromAcme(id: string): Promise<Sent> {
  const content = { type: 'contact.created', data: {} }
  const sent = await signDelivery(env.ACME_SECRET, content, { scheme: standardWebhooks, id })
  return { path: '/acme', ...sent }
}

async function statusOf(port: number, { path, headers, body }: Sent): Promise<number> {
  const init = { method: 'POST', headers: { 'Content-Type': 'application/json', ...headers }, body }
  return (await fetch(`http://127.0.0.1:${port}${path}`, init)).status
}

const STRIPE =
  '{"scheme":"stripe","id":"one","event":"invoice.paid","amount_paid":1200,"currency":"eur"}\n'
const GITHUB = '{"scheme":"github","id":"one","event":"push","ref":"refs/heads/main"}\n'
const ACME = '{"scheme":"standard-webhooks","id":"one","event":"contact.created"}\n'

test('the services example runs each delivery once, also where two services have the same id, rejects the rest, and accepts what its README sends', async () => {
  const example = await startExample('services', { env })
  const sent = await Promise.all([fromStripe('one'), fromGitHub('one'), fromAcme('one')])
  for (const each of sent) {
    expect(await statusOf(example.port, each)).toBe(204)
    expect(await statusOf(example.port, each)).toBe(204)
    const changed = { ...each, body: Buffer.from(` ${Buffer.from(each.body)}`) }
    expect(await statusOf(example.port, changed)).toBe(401)
  }
  expect(await statusOf(example.port, { ...sent[1], path: '/stripe' })).toBe(401)

  const readme = readFileSync(join(exampleFolder('services'), 'README.md'), 'utf8')
  const [, commands = ''] = /```sh\n(body=.*?)```/s.exec(readme) ?? []
  const options = { env: { ...process.env, PORT: String(example.port) } }
  const shell = await promisify(execFile)('sh', ['-ec', commands], options)
  expect(shell.stdout).toContain('HTTP/1.1 204')

  const { stdout, stderr } = await example.stop()
  expect(stdout.startsWith(STRIPE + GITHUB + ACME)).toBe(true)
  expect(stdout.trimEnd().split('\n')).toHaveLength(4)
  for (const endpoint of ['stripe', 'github', 'acme']) {
    expect(stderr).toContain(`401 signature_mismatch at ${endpoint}`)
  }
  expect(stderr).toMatch(/401 signature_missing at stripe.*Its signature is in x-hub-signature-256/)
})

test('the services example compiles by its own tsconfig.json, and runs as plain JavaScript', async () => {
  const example = await startCompiled(copyExample('services'), { env })
  expect(await statusOf(example.port, await fromAcme('one'))).toBe(204)
  expect((await example.stop()).stdout).toBe(ACME)
})
