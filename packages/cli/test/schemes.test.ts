import { expect, it } from 'vitest'
import { invoke } from './invoke.ts'
import { RECORDINGS } from './recorded.ts'

it('lists every service that has recorded requests', async () => {
  const { code, out } = await invoke(['schemes'])
  expect(code).toBe(0)
  const [head = '', ...rows] = out.trimEnd().split('\n')
  expect(head).toMatch(/^name +signature +not signed +window +wait +retry$/)
  const names = rows.map((row) => row.split(' ')[0])
  expect(names).toEqual([...RECORDINGS.map(({ scheme }) => scheme), 'aws-sns'].sort())
  expect(Math.max(...out.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80)
  expect(rows.find((row) => row.startsWith('github'))).toMatch(
    /^github +HMAC-SHA256 +id, event +none +10 s +no$/,
  )
})

it('shows all that is known of one service', async () => {
  const { out } = await invoke(['schemes', 'standardWebhooks'])
  expect(out).toBe(`standard-webhooks (import { standardWebhooks })
  signature      HMAC-SHA256, Ed25519
  signed         webhook-id "." timestamp "." body
  headers        webhook-signature, webhook-timestamp, webhook-id
  not signed     –
  replay window  300 s
  success        204
  waits          not documented
  retries        yes
  send           signs with the shared secret
  documentation  https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
  checked        2026-11-25 against standardwebhooks 1.1.1
`)
})

it.each([
  ['twilio', { unsigned: expect.arrayContaining(['id']), ambiguous: true, retries: false }],
  ['discordEvents', { exported: 'discordEvents', signs: false, patience: 3, tolerance: null }],
  ['aws-sns', { algorithms: [], signs: false, success: 200, judge: expect.stringMatching(/aws/) }],
  ['contract', { signs: true, unsigned: [], tolerance: 300, judge: null, documentation: null }],
])('prints the facts of %s as JSON', async (name, facts) => {
  const { code, json } = await invoke(['schemes', name, '--json'])
  expect(code).toBe(0)
  expect(json).toMatchObject([facts])
})

it('exits with 2 for a name that there is not', async () => {
  const { code, err } = await invoke(['schemes', 'gitbub'])
  expect(err).toMatch(/no scheme "gitbub", but there are: aws-sns, discord-events, .*, github,/)
  expect(code).toBe(2)
})
