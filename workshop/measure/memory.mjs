import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')

const collect = runInNewContext('gc')

/** The heap in use and the resident memory of this process, after a full collection. */
export function memoryInUse() {
  collect()
  collect()
  const { heapUsed, rss } = process.memoryUsage()
  return { heap: heapUsed, rss }
}
