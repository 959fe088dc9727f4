import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isChanged } from '@webhook-receiver/checks/changed.mjs'
import { PART } from '@webhook-receiver/checks/lists.mjs'
import { expect, test, vi } from 'vitest'
import { createInbox, receiver, SECRETS, withTelemetry } from './serving.ts'

const ROOT = join(import.meta.dirname, '../../..')
const OPS = join(import.meta.dirname, '../ops')
const RULES = readFileSync(join(OPS, 'alerts.yml'), 'utf8')
const ALERTS = [...RULES.matchAll(/- alert: (\w+)/g)].map(([, name = '']) => name)
const RECORDS = RULES.match(/- record: /g) ?? []
const DASHBOARD = JSON.parse(readFileSync(join(OPS, 'dashboard.json'), 'utf8'))
const QUERIES: readonly string[] = DASHBOARD.panels.flatMap(
  ({ targets }: { targets: readonly { expr: string }[] }) => targets.map(({ expr }) => expr),
)

const missing = spawnSync('promtool', ['--version']).error !== undefined
const skipped = missing && !process.env.CI
if (skipped) {
  console.warn('promtool is not installed (Debian: prometheus): the alert rules are not tested.')
}

// It takes 10 s of a processor, and depends on nothing else.
test.skipIf(skipped || (PART && !isChanged('packages/opentelemetry/')))(
  'promtool test rules: the alerts fire when they should, and only then',
  () => {
    const files = ['alerts.test.yml', 'silence.test.yml']
    const { stdout, stderr, status } = spawnSync('promtool', ['test', 'rules', ...files], {
      cwd: import.meta.dirname,
      encoding: 'utf8',
    })
    expect({ status, output: stdout + stderr }).toMatchObject({ status: 0 })
  },
  300_000,
)

test.skipIf(skipped)('promtool reads the rules and each query of the dashboard', () => {
  const folder = mkdtempSync(join(tmpdir(), 'webhook-dashboard-'))
  const records = QUERIES.map((query, number) => ({
    record: `query_${number}`,
    expr: query.replaceAll('$endpoint', '.*').replaceAll('$__rate_interval', '1m'),
  }))
  // JSON is YAML.
  const file = join(folder, 'queries.yml')
  writeFileSync(file, JSON.stringify({ groups: [{ name: 'dashboard', rules: records }] }))
  try {
    const output = execFileSync('promtool', ['check', 'rules', file, join(OPS, 'alerts.yml')], {
      encoding: 'utf8',
    })
    expect(output).toContain(`SUCCESS: ${QUERIES.length} rules found`)
    expect(output).toContain(`SUCCESS: ${ALERTS.length + RECORDS.length} rules found`)
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('each alert fires in one of the tests, has a heading in the guide, and links to it', () => {
  const tests = ['alerts', 'silence'].map((name) =>
    readFileSync(join(import.meta.dirname, `${name}.test.yml`), 'utf8'),
  )
  const guide = readFileSync(join(ROOT, 'docs/guides/alerts.md'), 'utf8')
  expect(ALERTS.length).toBeGreaterThan(0)
  for (const name of ALERTS) {
    expect(tests.join('')).toContain(`alertname="${name}"`)
    expect(guide).toMatch(new RegExp(`^## ${name}$`, 'm'))
    expect(RULES).toContain(`docs/guides/alerts.md#${name.toLowerCase()}`)
  }
})

test('each metric and label of the rules and the dashboard is exported', async () => {
  const { inbox, store } = await createInbox()
  await store('waiting')
  await withTelemetry(
    async ({ metrics }) => {
      vi.spyOn(console, 'error').mockReturnValue()
      const send = receiver()
      await send('message.received')
      await send('message.received', { id: 'failing', data: { fail: true } })
      await send('message.received', { secret: 'whsec_of_another' })
      expect(await send('message.read', { id: 'read', secret: SECRETS.previous })).toBe(204)
      const exported = [...(await metrics()).keys()].join('\n')
      const used = [RULES, ...QUERIES].join('\n')
      const names = used.match(/\b(?:webhook|messaging)_\w+_(?:total|bucket)\b/g) ?? []
      const gauges = used.match(/\bwebhook_inbox_(?:deliveries|oldest_due)\b/g) ?? []
      const histograms = used.match(/\b\w+(?=\(_seconds\)\?_bucket)/g) ?? []
      const labels = used.match(/\b(?:webhook|messaging|http|error)_\w+(?= ?!?=|,| \))/g) ?? []
      expect(new Set(names).size).toBeGreaterThanOrEqual(4)
      expect(new Set(histograms).size).toBe(4)
      expect(new Set(gauges).size).toBe(2)
      const buckets = histograms.map((name) => `${name}_bucket`)
      for (const name of [...names, ...gauges, ...buckets]) {
        expect(exported).toMatch(new RegExp(`^${name} `, 'm'))
      }
      for (const label of labels) expect(exported).toMatch(new RegExp(`\\b${label}=`))
    },
    { inbox },
  )
})
