import { availableParallelism } from 'node:os'
import { canPin, startProcess } from './processes.mjs'

/** Starts the load generator, and says where servers are to be started: each on a core of its own, if that can be. */
export async function startLoad(node, progress) {
  const pinned = availableParallelism() > 1 && canPin()
  if (!pinned) progress('taskset or a second core is missing, so nothing is pinned')
  const load = await startProcess('./load.mjs', [], { core: pinned ? 1 : undefined })
  return { load, core: pinned ? 0 : undefined, node }
}
