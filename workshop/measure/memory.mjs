import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')

const collect = runInNewContext('gc')

/** The heap in use, after a full collection. */
export function heapInUse() {
  collect()
  collect()
  return process.memoryUsage().heapUsed
}
