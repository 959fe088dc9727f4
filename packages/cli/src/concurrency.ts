/** Calls `work` for each item, for at most `most` of them at the same time. Rejects at the first failure. */
export async function inParallel<Item>(
  items: readonly Item[],
  most: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  // The workers share one iterator, so that each item is taken once.
  const left = items.values()
  const worker = async () => {
    for (const item of left) await work(item)
  }
  await Promise.all(Array.from({ length: most }, worker))
}
