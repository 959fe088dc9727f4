import { fileURLToPath } from 'node:url'
import { memoryStore, type Scheme } from '@webhook-receiver/core'
import { webhookHandler } from '@webhook-receiver/node'
import { github, line, linear, twilio } from '@webhook-receiver/schemes'
import { expect, it } from 'vitest'
import { netlify } from '../../../jwt/test/stranger.ts'
import { invoke, type Result } from '../invoke.ts'
import { receiver, serving } from '../receiver.ts'
import { PATIENCE } from './receiver-by-hand.ts'

const SECRET = 'a secret of this test'

async function doctor(url: string, options: readonly string[]) {
  const limits = ['--oversize', '2000000', '--timeout', `${PATIENCE}`]
  const args = ['doctor', url, '--json', ...limits, ...options]
  return invoke(args, { env: { WEBHOOK_SECRET: SECRET } })
}

function diagnosed({ json }: Result): readonly string[] {
  const [{ faults = [] } = {}] = json as readonly { faults?: { code: string }[] }[]
  return faults.map(({ code }) => code)
}

function verdicts({ json }: Result): ReadonlyMap<string, string> {
  const [{ probes = [] } = {}] = json as readonly { probes?: { id: string; verdict: string }[] }[]
  return new Map(probes.map(({ id, verdict }) => [id, verdict]))
}

const CORRECT: readonly (readonly [Scheme, readonly string[]])[] = [
  [github, ['json-broken', 'duplicate']],
  [linear, ['time-stale', 'duplicate']],
  [twilio, ['duplicate']],
  // Its tokens never expire, so an old one is not accepted by mistake.
  [netlify, ['duplicate']],
]

it.each(CORRECT.map(([scheme, ids]) => [scheme.name, scheme, ids] as const))(
  'passes a receiver of %s',
  async (name, scheme, ids) => {
    const runs = new Map<string, number>()
    const publicUrl = scheme.signsUrl ? 'https://example.com' : undefined
    const options = { scheme, publicUrl, store: memoryStore(), duplicates: 'id', onRejected: false }
    const handle = webhookHandler(
      SECRET,
      (delivery) => {
        const id = String(Reflect.get(delivery, 'id'))
        runs.set(id, (runs.get(id) ?? 0) + 1)
      },
      options as never,
    )
    const origin = await serving((req, res) => {
      const id = new URL(`${req.url}`, 'http://localhost').searchParams.get('id')
      if (id === null) handle(req, res)
      else res.end(String(runs.get(id) ?? 0))
    })
    const path = fileURLToPath(new URL('../../../jwt/test/stranger.ts', import.meta.url))
    const named = scheme === netlify ? path : name
    const chosen = ['--scheme', named, ...(publicUrl ? ['--public-url', publicUrl] : [])]
    // A service that signs the URL signs the query too.
    const observed = [...chosen, '--observe', `${origin}/runs`]
    const result = await doctor(`${origin}/webhooks?tenant=1`, observed)
    expect(diagnosed(result)).toEqual([])
    const found = verdicts(result)
    expect(new Set(found.values())).toEqual(new Set(['passed']))
    expect([...found.keys()]).toEqual(expect.arrayContaining([...ids]))
    expect(result.code).toBe(0)
  },
)

it('sends no probe that the service could not', async () => {
  const { url } = await receiver(SECRET, { scheme: line })
  const found = verdicts(await doctor(url, ['--scheme', 'line']))
  expect([...found.keys()]).not.toEqual(
    expect.arrayContaining([expect.stringMatching(/^(duplicate|time-|forged-no-timestamp)/)]),
  )
  expect(new Set(found.values())).toEqual(new Set(['passed']))
})

it('finds a status that the service does not take for success', async () => {
  const { url } = await receiver(SECRET, { scheme: { ...line, success: undefined } })
  const result = await doctor(url, ['--scheme', 'line'])
  expect(diagnosed(result)).toEqual(['other-success'])
  const found = verdicts(result)
  expect(found.get('valid-compact')).toBe('failed')
  expect(found.get('forged-secret')).toBe('passed')
  expect(result.code).toBe(1)
})

it('blames no clock for a rejection where the service signs no time', async () => {
  const { url } = await receiver('another secret', { scheme: line })
  const { json } = await doctor(url, ['--scheme', 'line'])
  const [cause, fix] = ['it has another secret, it does not get', 'equal, make sure that no proxy']
  expect(json).toMatchObject([
    {
      faults: [
        {
          code: 'wrong-secret',
          cause: expect.stringContaining(cause),
          fix: expect.stringContaining(fix),
        },
      ],
    },
  ])
})
