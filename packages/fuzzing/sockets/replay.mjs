import { readFile } from 'node:fs/promises'
import { SECRET } from './attack.mjs'
import { startServer } from './child.mjs'
import { read } from './plan.mjs'
import { session } from './session.mjs'

/** Sends the connections of a file again, each to a new server with the clock of that time. */
export async function replay(file) {
  const lines = (await readFile(file, 'utf8')).trim().split('\n')
  for (const line of lines) {
    const { adapter, clock, plan, faults: before } = JSON.parse(line)
    const server = await startServer(adapter, SECRET, String(clock))
    const { faults, statuses } = await session(server, read(plan))
    const found = [...faults, ...server.faults]
    server.stop()
    if (found.length > 0) process.exitCode = 1
    console.log(`${adapter}: ${JSON.stringify(statuses)}, ${found.join('; ') || 'nothing wrong'}`)
    console.log(`  before: ${before.join('; ')}`)
  }
}
