import { createHash, createHmac } from 'node:crypto'
import { sourceFor } from '@webhook-receiver/core/internal'
import { webhookHandler } from '@webhook-receiver/node'
import { folderQuarantine } from '@webhook-receiver/quarantine'
import { listKept } from '@webhook-receiver/quarantine/internal'
import { publicFormOf } from '@webhook-receiver/schemes/neighbours'
import { keyPairFor } from '@webhook-receiver/schemes/services'
import { expect, it } from 'vitest'
import { type ChosenScheme, readScheme } from '../src/options/scheme.ts'
import { folder } from './folder.ts'
import { invoke, words } from './invoke.ts'
import { serving } from './receiver.ts'
import { RECORDED_AT, RECORDINGS, type Recording, recordingOf, saved } from './recorded.ts'

const LATER = RECORDED_AT + 3_600_000
const TOMORROW = RECORDED_AT + 86_400_000

/** A secret of the same form that does not match. */
function wrongFor({ scheme }: ChosenScheme, { secret }: Recording) {
  if (secret.startsWith('whsec_')) return 'whsec_d3Jvbmc='
  return publicFormOf(scheme) ? keyPairFor(scheme).publicKey : 'ab'.repeat(32)
}

const chosenFor = ({ scheme, options }: Recording) => readScheme({ scheme, publicUrl: options[3] })

/** A receiver whose clock stands still, and what it handled. */
async function receiving(secret: string, chosen: ChosenScheme, options: object) {
  const handled: object[] = []
  const origin = await serving(
    webhookHandler(sourceFor(chosen.scheme, secret), (delivery) => void handled.push(delivery), {
      ...chosen,
      onRejected: false,
      ...options,
    }),
  )
  return { origin, handled }
}

/** A folder with what a receiver with a wrong secret has kept. */
async function quarantined(recording: Recording) {
  const kept = `${await folder()}/kept`
  const { method, target, headers, body } = recording
  const chosen = await chosenFor(recording)
  const options = {
    quarantine: folderQuarantine(kept, { now: () => RECORDED_AT }),
    now: () => RECORDED_AT,
  }
  const { origin } = await receiving(wrongFor(chosen, recording), chosen, options)
  const sent = headers.map(([name, value]): [string, string] => [name, value])
  const response = await fetch(`${origin}${target}`, {
    method,
    headers: sent,
    body: Buffer.from(body),
  })
  expect(response.status).toBe(401)
  expect(await listKept(kept)).toHaveLength(1)
  return kept
}

// By then, only Telnyx could sign it again.
const signable = [...RECORDINGS.filter(({ scheme }) => scheme !== 'telnyx'), sentByLiveKit()]

/** What only headers say, which are not signed. */
const UNSIGNED: Readonly<Record<string, object>> = {
  github: { id: 'msg_2cVbUqcH1H8bGZV0XBmYz1', event: 'push' },
}

it.each(signable.map((one) => [one.scheme, one] as const))(
  'delivers what %s sent an hour ago',
  async (name, recording) => {
    const { secret, target, options } = recording
    const kept = await quarantined(recording)
    const { origin, handled } = await receiving(secret, await chosenFor(recording), {
      now: () => LATER,
    })
    const to = options.includes('--public-url') ? origin : `${origin}${target}`
    const args = words`redrive ${kept} ${options} --to ${to} --may-run-twice`
    const result = await invoke(args, { env: { WEBHOOK_SECRET: secret }, now: () => LATER })
    expect(result.code).toBe(0)
    expect(handled).toMatchObject([{ scheme: name, ...UNSIGNED[name] }])
    expect(await listKept(kept)).toEqual([])
  },
)

/** As LiveKit signs: its tokens are valid for some minutes. */
function sentByLiveKit(): Recording {
  const secret = 'an API secret of LiveKit'
  const body = Buffer.from('{"id":"EV_1","event":"room_started"}')
  const nbf = RECORDED_AT / 1000
  const sha256 = createHash('sha256').update(body).digest('base64')
  const input = [{ alg: 'HS256' }, { iss: 'APIkey', nbf, exp: nbf + 300, sha256 }]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.')
  const signature = createHmac('sha256', secret).update(input).digest('base64url')
  const headers = [['authorization', `${input}.${signature}`]] as const
  const options = ['--scheme', 'livekit']
  return { ...recordingOf('github'), scheme: 'livekit', secret, headers, body, options }
}

it.each([
  ['linear', 'Linear signs the time in the body'],
  ['telnyx', 'the delivery is too old, and only telnyx can sign it again'],
])('says where no new signature of %s helps, and keeps the file', async (name, text) => {
  const recording = recordingOf(name)
  const kept = await quarantined(recording)
  const { origin, handled } = await receiving(recording.secret, await chosenFor(recording), {})
  const args = words`redrive ${kept} --scheme ${name} --to ${origin} --may-run-twice`
  const now = () => TOMORROW
  const result = await invoke(args, { env: { WEBHOOK_SECRET: recording.secret }, now })
  expect(`${result.out}${result.err}`.replaceAll(/\n +/g, ' ')).toContain(text)
  expect([result.code, handled, (await listKept(kept)).length]).toEqual([1, [], 1])
})

it.each(['stripe', 'standard-webhooks', 'twilio'])(
  'replays what %s sent, with a new signature',
  async (name) => {
    const recording = recordingOf(name)
    const { secret, target, options } = recording
    const { origin, handled } = await receiving(secret, await chosenFor(recording), {
      now: () => LATER,
    })
    const args = ['replay', ...options, await saved(recording), `${origin}${target}`]
    const env = { WEBHOOK_SECRET: secret }
    const again = await invoke([...args, '--resign'], { env, now: () => LATER })
    expect([again.code, handled.length]).toEqual([0, 1])
  },
)
