import { createHmac } from 'node:crypto'
import { expect, it } from 'vitest'
import { allSchemes } from '../src/options/find-scheme.ts'
import { invoke, words } from './invoke.ts'
import { RECORDED_AT, RECORDINGS, recordingOf, saved } from './recorded.ts'

it('there is a recording of each service whose key needs no look-up', async () => {
  const names = (await allSchemes()).map(({ scheme }) => scheme.name)
  // A token says until when it is valid.
  const others = ['aws-sns', 'livekit', 'qstash']
  expect([...RECORDINGS.map(({ scheme }) => scheme), ...others].sort()).toEqual(names)
})

it('says that a request only checks the endpoint', async () => {
  const slack = recordingOf('slack')
  const body = '{"type":"url_verification","challenge":"abc"}'
  const timestamp = `${RECORDED_AT / 1000}`
  const mac = createHmac('sha256', slack.secret).update(`v0:${timestamp}:${body}`).digest('hex')
  const headers = [
    ['x-slack-request-timestamp', timestamp],
    ['x-slack-signature', `v0=${mac}`],
  ] as const
  const file = await saved({ ...slack, headers, body: Buffer.from(body) })
  const env = { WEBHOOK_SECRET: slack.secret }
  const { json } = await invoke(words`verify --scheme slack --json ${file}`, { env })
  const handshake = 'The service checks the endpoint: url_verification'
  expect(json).toMatchObject([{ valid: true, handshake }])
})
