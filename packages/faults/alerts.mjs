// Makes each alert of @webhook-receiver/opentelemetry fire by a real fault, on a real Prometheus.
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { flag, readCommandLine, wholeNumber } from '@webhook-receiver/tools/command-line.mjs'
import { freePorts } from '@webhook-receiver/tools/free-ports.mjs'
import { runAll } from '@webhook-receiver/tools/runs.mjs'
import { redisServer } from '@webhook-receiver/tools/servers.mjs'
import { markdownTable, terminalTable } from '@webhook-receiver/tools/table.mjs'
import { measureCost } from './alerts/cost.mjs'
import { startEndpoint } from './alerts/endpoint.mjs'
import { startPrometheus } from './alerts/prometheus.mjs'
import { dashboardQueries, shortenedRules } from './alerts/rules.mjs'
import { LEASE, SCENARIOS } from './alerts/scenarios.mjs'

/** What stands for each duration of the rules: weeks become half a minute. */
const DURATIONS = '30m=10s,10m=10s,5m=5s,2m=2s,1h=10s,1d=20s,1w=35s'

const USAGE = `npm run alerts -- [options]
  --durations LIST  what stands for each duration of the rules
                    (${DURATIONS})
  --rate N          deliveries a second to each endpoint (4)
  --healthy N       seconds without a fault: no alert may fire (45)
  --faulty N        seconds with the faults (45)
  --cost N          runs of each mode for the cost of telemetry (7)
  --write           write docs/evidence/alerts.md
Each endpoint is a receiver in a process of its own. prometheus and redis-server have to be installed. Exits with 1 where an alert
did not fire, or one fired that should not, or a query of the dashboard gave no data.`

const options = readCommandLine(USAGE, {
  durations: {
    type: 'string',
    fallback: readDurations(DURATIONS),
    expected: 'a list such as 30m=10s,1d=20s',
    read: readDurations,
  },
  rate: wholeNumber(4),
  healthy: wholeNumber(45),
  faulty: wholeNumber(45),
  cost: wholeNumber(7),
  write: flag(),
})

const { results, skipped } = await runAll([{ name: 'alerts' }], run)
for (const line of skipped) console.log(`Skipped: ${line}`)
if (results.length === 0) process.exitCode = 1
// After the run, so that nothing runs beside it.
const cost = results.length > 0 ? await measureCost(options.cost) : []
for (const result of results.map((each) => ({ ...each, cost }))) {
  const { problems } = result
  for (const { head, rows } of tablesOf(result)) console.log(`${terminalTable(head, rows)}\n`)
  console.log(`${environment(result)}\n`)
  for (const problem of problems) console.log(`WRONG: ${problem}`)
  if (problems.length > 0) process.exitCode = 1
  else console.log('Each alert fired for its fault, and no other did.')
  if (options.write) write(result)
}

async function run(_run, onEnd) {
  const redis = await redisServer({ persistent: false })
  onEnd(redis.remove)
  // The one that is not stopped.
  const kept = await redisServer({ persistent: false })
  onEnd(kept.remove)
  await Promise.all([redis.start(), kept.start()])
  const urls = { stopped: redis.url, kept: kept.url }
  const ports = await freePorts(SCENARIOS.length * 2)
  const rules = shortenedRules(options.durations)
  const prometheus = await startPrometheus(rules, ports.slice(SCENARIOS.length), onEnd)
  const endpoints = await Promise.all(
    SCENARIOS.map(({ endpoint, redis: stored }, index) =>
      startEndpoint(
        {
          ...{ endpoint, port: ports[index], metricsPort: ports[index + SCENARIOS.length] },
          ...{ rate: options.rate, lease: LEASE, redisUrl: urls[stored] },
        },
        onEnd,
      ),
    ),
  )
  for (const at of endpoints) at.send()
  const early = await watch(prometheus, options.healthy)
  const begin = Date.now()
  await Promise.all(SCENARIOS.map(({ apply }, index) => apply(endpoints[index], redis)))
  const fired = await watch(prometheus, options.faulty, begin)

  const panels = []
  const window = options.healthy + options.faulty
  for (const { title, query } of dashboardQueries(options.durations['10m'])) {
    panels.push({ title, query, numbers: await prometheus.numbers(query, window) })
  }
  const accepted =
    'sum by (webhook_endpoint) (webhook_receiver_requests_total{webhook_outcome="accepted"})'
  const flooded = endpoints.find(({ endpoint }) => endpoint === 'forged-flood')
  const flood = {
    forged: flooded.forged(),
    accepted: await prometheus.sum(
      `${accepted} and on (webhook_endpoint) label_replace(vector(1), "webhook_endpoint", "forged-flood", "", "")`,
    ),
  }
  for (const at of endpoints) at.silence()
  const found = SCENARIOS.map((scenario) => judge(scenario, fired))
  const problems = [
    ...early.map(({ alert, endpoint }) => `${alert} fired for ${endpoint} before its fault.`),
    ...found.flatMap(({ problem }) => problem ?? []),
    ...panels
      .filter(({ numbers }) => numbers === 0)
      .map(({ title, query }) => `A query of the panel "${title}" gave no data: ${query}`),
    ...[...early, ...fired]
      .flatMap(({ texts }) => texts)
      .filter((text) => /error expanding|<no value>|%!/.test(text))
      .map((text) => `A text of an alert is broken: ${text}`),
    ...(flood.forged === 0 ? ['No forged request was refused.'] : []),
  ]
  return { found, panels, flood, problems, early, prometheus, redis }
}

/** Each alert that fired within so many seconds, once for each endpoint, with the second. */
async function watch(prometheus, seconds, begin = Date.now()) {
  const seen = new Map()
  while (Date.now() < begin + seconds * 1000) {
    for (const { alert, endpoint, texts } of await prometheus.firing()) {
      const key = `${alert} ${endpoint}`
      const after = Math.round((Date.now() - begin) / 1000)
      if (!seen.has(key)) seen.set(key, { alert, endpoint, texts, after })
    }
    await delay(500)
  }
  return [...seen.values()]
}

function judge({ endpoint, fault, alert, also = [] }, fired) {
  const mine = fired.filter((each) => each.endpoint === endpoint)
  const main = mine.find((each) => each.alert === alert)
  const others = mine.filter((each) => each.alert !== alert)
  const wrong = others.filter((each) => !also.includes(each.alert)).map((each) => each.alert)
  const problem = []
  if (alert && !main) problem.push(`${alert} did not fire for ${endpoint}: ${fault}.`)
  if (wrong.length > 0) problem.push(`${wrong.join(', ')} fired for ${endpoint}: ${fault}.`)
  return { endpoint, fault, alert, after: main?.after, others, text: main?.texts[1], problem }
}

function tablesOf({ found, panels, cost }) {
  return [
    {
      title: 'Alerts',
      head: ['endpoint', 'fault', 'has to fire', 'fired after', 'fired too'],
      rows: found.map(({ endpoint, fault, alert = 'none', after, others }) => [
        endpoint,
        fault,
        alert,
        after === undefined ? '–' : `${after} s`,
        others.map((each) => each.alert).join(', ') || '–',
      ]),
    },
    {
      title: 'Queries of the dashboard',
      head: ['panel', 'numbers'],
      rows: panels.map(({ title, numbers }) => [title, String(numbers)]),
    },
    {
      title: 'Cost',
      head: ['mode', 'CPU time of a delivery, relative to none', 'least', 'most'],
      rows: cost.map(({ mode, ratio, least, most }) => [
        mode,
        ...[ratio, least, most].map((each) => each.toFixed(2)),
      ]),
    },
  ]
}

function environment({ prometheus, redis, flood }) {
  const { rate, healthy, faulty } = options
  return (
    `Node ${process.versions.node}, ${prometheus.version}, ${redis.version}; ${rate} deliveries a second to each endpoint, ` +
    `${healthy} s without a fault, ${faulty} s with the faults. Beside the flood of ${flood.forged.toLocaleString('en')} forged ` +
    `requests, which were all refused, ${flood.accepted.toLocaleString('en')} deliveries were accepted.`
  )
}

function write(result) {
  const file = fileURLToPath(new URL('../../docs/evidence/alerts.md', import.meta.url))
  const [alerts, panels, cost] = tablesOf(result).map(
    ({ title, head, rows }) => `## ${title}\n\n${markdownTable(head, rows)}`,
  )
  const durations = Object.entries(options.durations)
  const text = `# Alerts: each one made to fire

Written by \`npm run alerts -- --write\` on ${new Date().toISOString().slice(0, 10)}. Linux ${process.arch}. ${environment(result)}

Each endpoint is a receiver in a process of its own, with the exporter of the OpenTelemetry SDK; the emulator sends. The rules and queries are
those that the package contains, on a real Prometheus that reads the metrics each second. Only the durations of the rules are shorter:

${markdownTable(
  ['in the rules', ...durations.map(([long]) => long)],
  [['in the run', ...durations.map(([, short]) => short)]],
)}

In the time without a fault ${result.early.length === 0 ? 'no alert fired' : `${result.early.length} alerts fired`}. ${result.problems.length === 0 ? 'With the faults each alert fired for its own fault, and no other did but those that the fault explains.' : `What was wrong:\n\n${result.problems.map((each) => `- ${each}`).join('\n')}`}

${alerts}

\`forged-alone\` is the limit: without a genuine delivery beside it, nothing distinguishes a flood from a wrong secret.

${panels}

${cost}

One delivery is verified and handled with \`memoryStore\`, without HTTP. *hooks* is \`receiverDiagnostics()\` and \`handlerDiagnostics()\`, and nobody
listens. Without the hooks the package is not loaded and nothing is subscribed to. \`none again\` is the same program a second time: how far it is from 1
is the noise of the machine.
`
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}

function readDurations(text) {
  const pairs = text.split(',').map((pair) => /^(\d+[smhdw])=(\d+[smh])$/.exec(pair))
  return pairs.includes(null) ? undefined : Object.fromEntries(pairs.map(([, a, b]) => [a, b]))
}
