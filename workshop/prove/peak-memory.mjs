import { readFileSync, writeFileSync } from 'node:fs'

/**
 * The highest resident memory of a process in MiB since the last call, which Linux then forgets.
 *
 * @param {number | undefined} pid
 * @returns {number}
 */
export function peakMemory(pid) {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  writeFileSync(`/proc/${pid}/clear_refs`, '5')
  return Number(/^VmHWM:\s+(\d+) kB/m.exec(status)?.[1]) / 1024
}
