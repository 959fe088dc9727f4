// Needs --expose-gc.

/** The CPU time of a block, in microseconds. */
const BLOCK = 10_000

/** A block of fewer calls says more about the garbage of the last one than about itself. */
const LEAST = 4

/**
 * Returns a function that measures a call: its CPU time in nanoseconds, in all threads of this process,
 * so that other processes do not count. A block begins with an empty young generation and ends with the
 * collection of its own garbage.
 *
 * @param {{ argument?: () => unknown, call: (argument: unknown) => unknown }} subject
 */
export async function samplerOf({ argument, call }) {
  const waits = call(argument?.()) instanceof Promise
  let calls = LEAST
  // Until the code is compiled and the number of calls fits the block.
  for (let warm = 0; warm < 12; warm++) await sample()
  return sample

  async function sample() {
    const each = await block(calls)
    // With blocks of one length, the fixed cost of a collection is the same part of each.
    const fitting = Math.round((BLOCK * 1000) / each)
    calls = Math.min(20_000, 2 * calls, Math.max(LEAST, fitting))
    return each
  }

  async function block(count) {
    const inputs = argument ? await Promise.all(Array.from({ length: count }, argument)) : undefined
    gc({ type: 'minor' })
    const before = process.cpuUsage()
    // Only a promise is awaited.
    if (waits) for (let index = 0; index < count; index++) await call(inputs?.[index])
    else for (let index = 0; index < count; index++) call(inputs?.[index])
    gc({ type: 'minor' })
    const { user, system } = process.cpuUsage(before)
    return ((user + system) * 1000) / count
  }
}
