import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { freePorts } from '@webhook-receiver/tools/free-ports.mjs'
import { startProgram } from '@webhook-receiver/tools/program.mjs'
import { Unavailable } from '@webhook-receiver/tools/runs.mjs'

/** How long Prometheus may take to start, in milliseconds. */
const START_TIME = 30_000

/** Starts a Prometheus of its own, which reads the metrics of `ports` each second and evaluates `rules` as often. */
export async function startPrometheus(rules, ports, onEnd) {
  const version = versionOf()
  const folder = mkdtempSync(join(tmpdir(), 'webhook-prometheus-'))
  onEnd(() => rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }))
  const [port] = await freePorts(1)
  const config = {
    global: { scrape_interval: '1s', evaluation_interval: '1s' },
    rule_files: [join(folder, 'rules.yml')],
    scrape_configs: [
      {
        job_name: 'receivers',
        static_configs: [{ targets: ports.map((each) => `127.0.0.1:${each}`) }],
      },
    ],
  }
  writeFileSync(join(folder, 'rules.yml'), rules)
  // JSON is YAML.
  writeFileSync(join(folder, 'prometheus.yml'), JSON.stringify(config))
  const program = startProgram('prometheus', [
    `--config.file=${join(folder, 'prometheus.yml')}`,
    `--storage.tsdb.path=${join(folder, 'data')}`,
    `--web.listen-address=127.0.0.1:${port}`,
  ])
  onEnd(() => program.stop())
  const api = async (path, parameters = {}) => {
    const query = new URLSearchParams(parameters)
    const response = await fetch(`http://127.0.0.1:${port}/api/v1/${path}?${query}`)
    const { status, data, error } = await response.json()
    if (status !== 'success') throw new Error(`Prometheus: ${error}`)
    return data
  }
  const end = Date.now() + START_TIME
  for (;;) {
    const ready = await fetch(`http://127.0.0.1:${port}/-/ready`).catch(() => undefined)
    if (ready?.ok) break
    if (Date.now() > end) throw new Error(`Prometheus does not start: ${program.output().stderr}`)
    await delay(50)
  }
  return {
    version,
    /** What fires at this moment: alert, endpoint, texts. */
    async firing() {
      const { alerts } = await api('alerts')
      return alerts
        .filter(({ state }) => state === 'firing')
        .map(({ labels, annotations }) => ({
          alert: labels.alertname,
          endpoint: labels.webhook_endpoint ?? labels.messaging_destination_name,
          texts: Object.values(annotations),
        }))
    },
    /** How many numbers a query gives over the last `seconds`. */
    async numbers(query, seconds) {
      const now = Date.now() / 1000
      const { result } = await api('query_range', {
        query,
        start: String(now - seconds),
        end: String(now),
        step: '1',
      })
      return result.flatMap(({ values }) => values).filter(([, value]) => value !== 'NaN').length
    },
    /** The sum of the values of a query at this moment. */
    async sum(query) {
      const { result } = await api('query', { query })
      return result.reduce((total, { value }) => total + Number(value[1]), 0)
    },
  }
}

function versionOf() {
  try {
    const text = execFileSync('prometheus', ['--version'], { encoding: 'utf8', stdio: 'pipe' })
    return `Prometheus ${/version (\d+\.\d+\.\d+)/.exec(text)?.[1]}`
  } catch (cause) {
    if (cause.code !== 'ENOENT') throw cause
    throw new Unavailable('prometheus is not installed (Debian: prometheus).', { cause })
  }
}
