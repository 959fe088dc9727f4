// Writes requests, right, refused and broken, to the sockets of an application of each adapter.
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { attack } from './sockets/attack.mjs'
import { readOptions } from './sockets/options.mjs'
import { replay } from './sockets/replay.mjs'
import { report } from './sockets/report.mjs'

const options = readOptions()
const failures = options.failures ?? join(tmpdir(), 'socket-fuzz.jsonl')
if (options.replay) await replay(options.replay)
else {
  const { adapters, requests, seed } = options
  console.error(`${requests} requests to each of ${adapters.join(', ')}, seed ${seed} …`)
  const waiting = [...adapters]
  const results = []
  const work = async () => {
    for (let adapter = waiting.shift(); adapter; adapter = waiting.shift()) {
      results[adapters.indexOf(adapter)] = await attack(adapter, { ...options, failures })
    }
  }
  await Promise.all(Array.from({ length: options.parallel }, work))
  report(results, { seed, failures })
}
