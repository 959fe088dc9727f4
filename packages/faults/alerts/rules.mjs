import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const OPS = new URL('../../opentelemetry/ops/', import.meta.url)
const DURATION = /(\[|offset |for: )(\d+[smhdw])/g

/** The rules of the package, with each duration replaced by that of `durations`. */
export function shortenedRules(durations) {
  const text = readFileSync(fileURLToPath(new URL('alerts.yml', OPS)), 'utf8')
  return text.replace(DURATION, (_, before, duration) => {
    const short = durations[duration]
    if (short === undefined) throw new Error(`--durations says nothing of ${duration}.`)
    return before + short
  })
}

/** The queries of the dashboard by panel, with Grafana's variables replaced. */
export function dashboardQueries(interval) {
  const text = readFileSync(fileURLToPath(new URL('dashboard.json', OPS)), 'utf8')
  return JSON.parse(text).panels.flatMap(({ title, targets }) =>
    targets.map(({ expr }) => ({
      title,
      query: expr.replaceAll('$endpoint', '.*').replaceAll('$__rate_interval', interval),
    })),
  )
}
