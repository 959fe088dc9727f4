import { fileURLToPath } from 'node:url'
import { memoryStore, type Scheme } from '@webhook-receiver/core'
import { webhookHandler } from '@webhook-receiver/node'
import { github, line } from '@webhook-receiver/schemes'
import { expect, it } from 'vitest'
import { netlify } from '../../../jwt/test/stranger.ts'
import { invoke, type Result, words } from '../invoke.ts'
import { receiver, serving } from '../receiver.ts'
import { PATIENCE } from './receiver-by-hand.ts'

const SECRET = 'a secret of this test'

async function doctor(url: string, options: readonly string[]) {
  const limits = words`--oversize 2000000 --timeout ${PATIENCE}`
  const args = words`doctor ${url} --json ${limits} ${options}`
  return invoke(args, { env: { WEBHOOK_SECRET: SECRET } })
}

function diagnosed({ json }: Result) {
  const [{ faults = [] } = {}] = json as readonly { faults?: { code: string }[] }[]
  return faults.map(({ code }) => code)
}

function verdicts({ json }: Result): ReadonlyMap<string, string> {
  const [{ probes = [] } = {}] = json as readonly { probes?: { id: string; verdict: string }[] }[]
  return new Map(probes.map(({ id, verdict }) => [id, verdict]))
}

const CORRECT: readonly (readonly [Scheme, readonly string[]])[] = [
  [github, ['json-broken', 'duplicate']],
  // Its tokens never expire, so an old one is not accepted by mistake.
  [netlify, ['duplicate']],
]

it.each(CORRECT.map(([scheme, ids]) => [scheme.name, scheme, ids] as const))(
  'passes a receiver of %s',
  async (name, scheme, ids) => {
    const runs = new Map<string, number>()
    const asked = new WeakSet()
    const options = { scheme, store: memoryStore(), duplicates: 'id', onRejected: false }
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
      // As a server that closes an idle connection when the next request is on its way.
      else if (asked.has(req.socket)) req.socket.destroy()
      else res.end(String(runs.get(id) ?? 0))
      if (id !== null) asked.add(req.socket)
    })
    const path = fileURLToPath(new URL('../../../jwt/test/stranger.ts', import.meta.url))
    const named = scheme === netlify ? path : name
    const observed = words`--scheme ${named} --observe ${origin}/runs`
    const result = await doctor(`${origin}/webhooks`, observed)
    expect(diagnosed(result)).toEqual([])
    const found = verdicts(result)
    expect(new Set(found.values())).toEqual(new Set(['passed']))
    expect([...found.keys()]).toEqual(expect.arrayContaining([...ids]))
    expect(result.code).toBe(0)
  },
)

it('finds a status that the service does not take for success', async () => {
  const { url } = await receiver(SECRET, { scheme: { ...line, success: undefined } })
  const result = await doctor(url, ['--scheme', 'line'])
  expect(diagnosed(result)).toEqual(['other-success'])
  const found = verdicts(result)
  expect(found.get('valid-compact')).toBe('failed')
  expect(found.get('forged-secret')).toBe('passed')
  expect(result.code).toBe(1)
})
