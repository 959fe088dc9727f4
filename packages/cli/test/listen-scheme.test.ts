import { createHmac } from 'node:crypto'
import { expect, it } from 'vitest'
import { start } from './invoke.ts'
import { recordingOf } from './recorded.ts'

async function listening(service: string, ...args: readonly string[]) {
  const recording = recordingOf(service)
  const command = ['listen', '--port', '0', '--count', '1', '--scheme', service, ...args]
  const listener = start(command, { env: { WEBHOOK_SECRET: recording.secret } })
  const [, url = ''] = await listener.until(/Listening on +(\S+)\s/)
  return { ...listener, url, recording }
}

it('shows event and id of another service', async () => {
  const { url, ended, recording } = await listening('github')
  const { target, headers, body } = recording
  const sent = { method: 'POST', headers: Object.fromEntries(headers), body: Uint8Array.from(body) }
  expect((await fetch(url + target, sent)).status).toBe(204)
  const { out, err } = await ended
  expect(out).toMatch(/^\d\d:\d\d:\d\d {2}204 {2}push +\d+ ms {2}msg_2cVb/)
  expect(err).toMatch(/Service +github/)
})

it('names the URL of a proxy as the cause', async () => {
  const { url, ended, recording } = await listening(
    'square',
    '--json',
    '--public-url',
    'http://example.com',
  )
  const { target, headers, body } = recording
  const sent = { method: 'POST', headers: Object.fromEntries(headers), body: Uint8Array.from(body) }
  expect((await fetch(url + target, sent)).status).toBe(401)
  expect((await ended).json).toMatchObject([
    {
      valid: false,
      reason: 'signature_mismatch',
      diagnosis: [{ code: 'url_other', certainty: 'certain' }],
    },
  ])
})

it('responds to a handshake as the service expects', async () => {
  const { url, ended, recording } = await listening('slack', '--json')
  const body = '{"type":"url_verification","challenge":"abc"}'
  const time = `${Math.floor(Date.now() / 1000)}`
  const mac = createHmac('sha256', recording.secret).update(`v0:${time}:${body}`).digest('hex')
  const headers = { 'x-slack-request-timestamp': time, 'x-slack-signature': `v0=${mac}` }
  const response = await fetch(url, { method: 'POST', headers, body })
  expect(response.status).toBe(200)
  expect(await response.text()).toBe('abc')
  expect((await ended).json).toMatchObject([{ valid: true, status: 200 }])
})

it('responds with the status that the service takes for success', async () => {
  const { url, ended, recording } = await listening('linear')
  const body = JSON.stringify({ type: 'Issue', webhookTimestamp: Date.now() })
  const mac = createHmac('sha256', recording.secret).update(body).digest('hex')
  const headers = { 'linear-signature': mac, 'linear-delivery': '1' }
  expect((await fetch(url, { method: 'POST', headers, body })).status).toBe(200)
  expect((await ended).code).toBe(0)
})

it('keeps up with a flood of forged requests: not each of them is diagnosed', async () => {
  const listener = start(['listen', '--port', '0', '--count', '60', '--scheme', 'github', '--json'])
  const [, url = ''] = await listener.until(/Listening on +(\S+)\s/)
  const body = JSON.stringify(Object.fromEntries(Array.from({ length: 500 }, (_, n) => [n, n])))
  const headers = { 'x-hub-signature-256': `sha256=${'0'.repeat(64)}` }
  const send = async () => (await fetch(url, { method: 'POST', headers, body })).status
  const statuses = await Promise.all(Array.from({ length: 60 }, send))
  expect(new Set(statuses)).toEqual(new Set([401]))
  const { json } = await listener.ended
  const diagnosed = json.map(({ diagnosis }) => Array.isArray(diagnosis) && diagnosis.length > 0)
  expect(diagnosed).toHaveLength(60)
  expect(diagnosed[0]).toBe(true)
  expect(diagnosed).toContain(false)
  expect(diagnosed.at(-1)).toBe(true)
})
