import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'

/** Linux tells the peak of a process's resident memory, and forgets it when it is told to. */
export function canForgetPeak() {
  return existsSync('/proc/self/clear_refs')
}

export async function forgetPeak(pid) {
  await writeFile(`/proc/${pid}/clear_refs`, '5')
}

/** In bytes, since it was last forgotten. */
export function peakOf(pid) {
  return read(pid, 'VmHWM')
}

/** In bytes. */
export function residentOf(pid) {
  return read(pid, 'VmRSS')
}

async function read(pid, field) {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]) * 1024
}
