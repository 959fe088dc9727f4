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

const id = 'one'
const invoice = { object: 'invoice', amount_paid: 1200, currency: 'eur' }
const paid = { id, object: 'event', type: 'invoice.paid', data: { object: invoice } }
const created = { type: 'contact.created', data: {} }
const push = { scheme: github, id, event: 'push' } as const

/** A delivery of each service, all with the same id. */
const SENT = {
  stripe: await signDelivery(env.STRIPE_SECRET, paid, { scheme: stripe }),
  github: await signDelivery(env.GITHUB_SECRET, { ref: 'refs/heads/main' }, push),
  acme: await signDelivery(env.ACME_SECRET, created, { scheme: standardWebhooks, id }),
}

/** What the example prints of them. */
const LINES = {
  stripe:
    '{"scheme":"stripe","id":"one","event":"invoice.paid","amount_paid":1200,"currency":"eur"}',
  github: '{"scheme":"github","id":"one","event":"push","ref":"refs/heads/main"}',
  acme: '{"scheme":"standard-webhooks","id":"one","event":"contact.created"}',
}

async function statusOf(port: number, endpoint: string, sent: (typeof SENT)['acme']) {
  const headers = { 'Content-Type': 'application/json', ...sent.headers }
  const url = `http://127.0.0.1:${port}/${endpoint}`
  return (await fetch(url, { method: 'POST', headers, body: sent.body })).status
}

test('the services example runs each delivery once, also where services have the same id, rejects the rest, and accepts what its README sends', async () => {
  const example = await startExample('services', { env })
  for (const [endpoint, sent] of Object.entries(SENT)) {
    expect(await statusOf(example.port, endpoint, sent)).toBe(204)
    expect(await statusOf(example.port, endpoint, sent)).toBe(204)
    const changed = { ...sent, body: Buffer.from(` ${Buffer.from(sent.body)}`) }
    expect(await statusOf(example.port, endpoint, changed)).toBe(401)
  }
  expect(await statusOf(example.port, 'stripe', SENT.github)).toBe(401)

  const readme = readFileSync(join(exampleFolder('services'), 'README.md'), 'utf8')
  const [, commands = ''] = /```sh\n(body=.*?)```/s.exec(readme) ?? []
  const options = { env: { ...process.env, PORT: String(example.port) } }
  const shell = await promisify(execFile)('sh', ['-ec', commands], options)
  expect(shell.stdout).toContain('HTTP/1.1 204')

  const { stdout, stderr } = await example.stop()
  expect(stdout.split('\n')).toEqual([...Object.values(LINES), expect.stringMatching(/^\{/), ''])
  for (const endpoint of Object.keys(SENT))
    expect(stderr).toContain(`401 signature_mismatch at ${endpoint}`)
  expect(stderr).toMatch(
    /401 signature_missing at stripe.*Another service's header: x-hub-signature-256/,
  )
})

test('the services example compiles by its own tsconfig.json, and runs as plain JavaScript', async () => {
  const example = await startCompiled(copyExample('services'), { env })
  expect(await statusOf(example.port, 'acme', SENT.acme)).toBe(204)
  expect((await example.stop()).stdout).toBe(`${LINES.acme}\n`)
})
