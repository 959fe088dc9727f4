import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')

export const collect = runInNewContext('gc')

/** The heap in use, the bytes outside of it and the resident memory of this process, after a full collection. */
export function memoryInUse() {
  collect()
  collect()
  const { heapUsed, arrayBuffers, rss } = process.memoryUsage()
  return { heap: heapUsed, buffers: arrayBuffers, rss }
}
