import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc')

/** The heap in use and the resident memory of this process in bytes, after a full collection. */
export function memoryInUse() {
  collect()
  collect()
  const { heapUsed, rss } = process.memoryUsage()
  return { heap: heapUsed, rss }
}

/** Whether the system knows the peak of a process's resident memory, and can reset it. Linux does. */
export function canResetPeak() {
  return existsSync('/proc/self/clear_refs')
}

export async function resetPeak(pid) {
  await writeFile(`/proc/${pid}/clear_refs`, '5')
}

/** The largest resident memory of a process since the last reset, in bytes. */
export function peakOf(pid) {
  return statusOf(pid, 'VmHWM')
}

/** The resident memory of a process, in bytes. */
export function residentOf(pid) {
  return statusOf(pid, 'VmRSS')
}

async function statusOf(pid, field) {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]) * 1024
}
