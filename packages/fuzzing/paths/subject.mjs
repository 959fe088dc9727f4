// One subject, in a process of its own: node subject.mjs NAME TARGETS SEED guard|control
import { isHttp2, subjects } from './applications.mjs'
import { bytesTaken, send } from './send.mjs'
import { targetsFor } from './targets.mjs'

const PATHS = ['/webhooks', '/api/v1/webhooks']

const [subject, targets, seed, guard] = process.argv.slice(2)
const http2 = isHttp2(subject)

const bytes = await bytesTaken(http2)

// For each route that ran: how often, and the first target that reached it.
const result = { subject, targets: 0, statuses: {}, ran: 0, routes: {} }
for (const [index, path] of PATHS.entries()) {
  const server = subjects[subject](path, guard === 'guard', (route, target) => {
    result.ran++
    result.routes[`${path} by ${route}`] ??= { count: 0, target }
    result.routes[`${path} by ${route}`].count++
  })
  const count = Math.ceil(Number(targets) / PATHS.length)
  const draw = targetsFor(path, bytes, Number(seed), index)
  for (const [status, found] of Object.entries(await send(server, http2, draw, count))) {
    result.statuses[status] = (result.statuses[status] ?? 0) + found
  }
  result.targets += count
}
console.log(JSON.stringify(result))
