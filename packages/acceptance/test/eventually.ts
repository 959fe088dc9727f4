import { setTimeout as delay } from 'node:timers/promises'

/** Waits until something holds. */
export async function eventually(
  holds: () => boolean | Promise<boolean>,
  what: () => unknown = () => holds,
  milliseconds = 20_000,
): Promise<void> {
  const end = performance.now() + milliseconds
  while (!(await holds())) {
    if (performance.now() > end) throw new Error(`it did not come about:\n${what()}`)
    await delay(20)
  }
}
