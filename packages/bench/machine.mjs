import { availableParallelism, cpus } from 'node:os'

/** What a figure depends on; `runtimes` are those it was measured on. */
export function describeMachine(runtimes = [{ name: `Node ${process.versions.node}` }]) {
  return {
    date: new Date().toISOString().slice(0, 10),
    cpu: cpus()[0]?.model.trim() ?? 'an unknown CPU',
    cores: availableParallelism(),
    platform: `${process.platform} ${process.arch}`,
    runtimes: runtimes.map(({ name }) => name),
  }
}

/** One line for the foot of a table or a chart. */
export function captionOf({ date, cpu, cores, runtimes }, versions = runtimes.join(', ')) {
  return `${date}, ${cpu} (${cores} cores), ${versions}`
}
