// Needs --expose-gc.

/** A block is about so much CPU, in microseconds. */
const BLOCK = 10_000

/** The calls of a block at least: one alone says more about the garbage of the last than about itself. */
const LEAST = 4

/**
 * Makes of a contender what takes its samples: the CPU time of a call in nanoseconds, of all threads of
 * this process, so that neighbours on the machine do not count. A block begins with an empty young
 * generation and ends with the collection of its own garbage.
 *
 * @param {{ argument?: () => unknown, call: (argument: unknown) => unknown }} contender
 */
export async function samplerOf({ argument, call }) {
  const waits = call(argument?.()) instanceof Promise
  let calls = LEAST
  // Until the code is compiled and the number of calls fits the block.
  for (let warm = 0; warm < 12; warm++) await sample()
  return sample

  async function sample() {
    const each = await block(calls)
    // Blocks of one length: what a collection costs at least is then the same part of each.
    const fitting = Math.round((BLOCK * 1000) / each)
    calls = Math.min(20_000, 2 * calls, Math.max(LEAST, fitting))
    return each
  }

  async function block(count) {
    const inputs = argument ? await Promise.all(Array.from({ length: count }, argument)) : undefined
    gc({ type: 'minor' })
    const before = process.cpuUsage()
    // Only a promise is waited for.
    if (waits) for (let index = 0; index < count; index++) await call(inputs?.[index])
    else for (let index = 0; index < count; index++) call(inputs?.[index])
    gc({ type: 'minor' })
    const { user, system } = process.cpuUsage(before)
    return ((user + system) * 1000) / count
  }
}
