/** Calls before the first that counts, so that the code is compiled. */
const WARM_UP = 20_000

/** How many arguments are made at once, so that making one has no effect on the time of its call. */
const BATCH = 500

/**
 * Times single calls of both classes, in random order.
 *
 * @param {{ prepare(which: 0 | 1): unknown, call(argument: unknown): unknown, waits?: boolean }} subject
 * @param {() => 0 | 1} chooseClass
 * @param {number} count
 */
export async function sample({ prepare, call, waits }, chooseClass, count) {
  const times = new Float64Array(count)
  const classes = new Uint8Array(count)
  const chosen = new Uint8Array(BATCH)
  const prepared = Array.from({ length: BATCH })
  let right = 0
  for (let index = -WARM_UP; index < count; index++) {
    const at = (index + WARM_UP) % BATCH
    if (at === 0) {
      for (let next = 0; next < BATCH; next++) {
        chosen[next] = chooseClass()
        prepared[next] = prepare(chosen[next])
      }
    }
    const argument = prepared[at]
    let accepted
    const start = performance.now()
    if (waits) accepted = await call(argument)
    else accepted = call(argument)
    const end = performance.now()
    if (accepted) right++
    if (index < 0) continue
    times[index] = (end - start) * 1e6
    classes[index] = chosen[at]
  }
  if (right > 0) throw new Error('A forged digest was accepted.')
  return { times, classes }
}
