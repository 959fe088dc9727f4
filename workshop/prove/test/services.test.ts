import { execFile } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, expect, test } from 'vitest'
import { exampleFolder } from '../example.mjs'
import { stopPrograms } from '../program.mjs'
import { copyExample, startCompiled, startExample } from './example.ts'

const KEY = Buffer.from('try_me_please_try_me')
const env = {
  STRIPE_SECRET: 'whsec_try_me_locally',
  GITHUB_SECRET: 'try_me',
  ACME_SECRET: `whsec_${KEY.toString('base64')}`,
}

afterAll(() => stopPrograms('SIGKILL'))

// Signed without the library, as each service describes it.

const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text)
const now = () => Math.floor(Date.now() / 1000)

interface Sent {
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

function fromStripe(id: string): Sent {
  const invoice = { object: 'invoice', amount_paid: 1200, currency: 'eur' }
  const body = JSON.stringify({
    id,
    object: 'event',
    type: 'invoice.paid',
    data: { object: invoice },
  })
  const time = now()
  const signature = hmac(env.STRIPE_SECRET, `${time}.${body}`).digest('hex')
  return { path: '/stripe', headers: { 'Stripe-Signature': `t=${time},v1=${signature}` }, body }
}

function fromGitHub(id: string): Sent {
  const body = '{"ref":"refs/heads/main"}'
  const signature = hmac(env.GITHUB_SECRET, body).digest('hex')
  const headers = {
    'X-Hub-Signature-256': `sha256=${signature}`,
    'X-GitHub-Delivery': id,
    'X-GitHub-Event': 'push',
  }
  return { path: '/github', headers, body }
}

function fromAcme(id: string): Sent {
  const body = JSON.stringify({ type: 'contact.created', data: {} })
  const time = `${now()}`
  const signature = hmac(KEY, `${id}.${time}.${body}`).digest('base64')
  const headers = {
    'Webhook-Id': id,
    'Webhook-Timestamp': time,
    'Webhook-Signature': `v1,${signature}`,
  }
  return { path: '/acme', headers, body }
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
  const sent = [fromStripe('one'), fromGitHub('one'), fromAcme('one')]
  for (const each of sent) {
    expect(await statusOf(example.port, each)).toBe(204)
    expect(await statusOf(example.port, each)).toBe(204)
    const changed = { ...each, body: each.body.replace('{', '{ ') }
    expect(await statusOf(example.port, changed)).toBe(401)
  }
  expect(await statusOf(example.port, { ...fromGitHub('one'), path: '/stripe' })).toBe(401)

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
  expect(stderr).toMatch(/401 signature_missing at stripe.*it has x-hub-signature-256/)
})

test('the services example compiles by its own tsconfig.json, and runs as plain JavaScript', async () => {
  const example = await startCompiled(copyExample('services'), { env })
  expect(await statusOf(example.port, fromAcme('one'))).toBe(204)
  expect((await example.stop()).stdout).toBe(ACME)
})
