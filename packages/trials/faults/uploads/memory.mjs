import { readFile, writeFile } from 'node:fs/promises'

/** Resolves to what `work` added to the peak of the resident memory of a program, in MiB. Only Linux says it. */
export async function growth({ child: { pid } }, work) {
  // Linux forgets the peak so far.
  await writeFile(`/proc/${pid}/clear_refs`, '5')
  const before = await resident(pid, 'VmRSS')
  await work()
  return (await resident(pid, 'VmHWM')) - before
}

async function resident(pid, field) {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]) / 1024
}
