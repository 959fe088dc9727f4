/**
 * Runs `work`, which tells what it made by calling the function it is given with `{ remove() }`, and removes
 * that at the end: however it ends, also by Ctrl-C.
 */
export async function cleaningUp(work) {
  const made = []
  const removeAll = async () => {
    for (const thing of made.splice(0).reverse()) {
      try {
        await thing.remove()
      } catch (error) {
        // The rest has to go all the same.
        console.error('could not be removed:', error)
        process.exitCode = 1
      }
    }
  }
  const interrupted = (signal) => {
    console.error(`${signal}: cleaning up …`)
    removeAll().finally(() => process.exit(1))
  }
  process.once('SIGINT', interrupted).once('SIGTERM', interrupted)
  try {
    return await work((thing) => made.push(thing))
  } finally {
    await removeAll()
    process.off('SIGINT', interrupted).off('SIGTERM', interrupted)
  }
}
