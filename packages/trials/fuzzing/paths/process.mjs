// One application, in a separate process.
import { childInput } from '../run-child.mjs'
import { applications, isHttp2 } from './applications.mjs'
import { acceptedBytes, FORGED, send } from './send.mjs'
import { targetsFor } from './targets.mjs'

const PATHS = ['/webhooks', '/api/v1/webhooks']

const { name, targets, seed, guarded } = childInput()
const http2 = isHttp2(name)
const bytes = await acceptedBytes(http2)

// For each route that ran: how often, and the first target that reached it.
const result = { targets: 0, statuses: {}, ran: 0, routes: {} }
for (const [index, path] of PATHS.entries()) {
  const server = await applications[name](path, guarded, (route, target) => {
    result.ran++
    result.routes[`${path} by ${route}`] ??= { count: 0, target }
    result.routes[`${path} by ${route}`].count++
  })
  const count = Math.ceil(targets / PATHS.length)
  const statuses = await send(server, http2, targetsFor(path, bytes, seed, index), count, FORGED)
  for (const [status, found] of Object.entries(statuses)) {
    result.statuses[status] = (result.statuses[status] ?? 0) + found
  }
  result.targets += count
}
process.send(result)
