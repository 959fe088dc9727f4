export interface Run {
  readonly kind: 'same' | 'removed' | 'added'
  readonly bytes: Uint8Array
}

/** How many pairs of bytes are compared at most: above that, what is between the equal ends is one difference. */
const MOST = 4_000_000

/** How one body becomes another: runs of equal, removed and added bytes. */
export function differences(one: Uint8Array, two: Uint8Array): readonly Run[] {
  let start = 0
  const least = Math.min(one.length, two.length)
  while (start < least && one[start] === two[start]) start += 1
  let end = 0
  while (end < least - start && one[one.length - 1 - end] === two[two.length - 1 - end]) end += 1
  const head = one.subarray(0, start)
  const tail = one.subarray(one.length - end)
  const [oneMiddle, twoMiddle] = [
    one.subarray(start, one.length - end),
    two.subarray(start, two.length - end),
  ]
  const middle: readonly Run[] =
    oneMiddle.length * twoMiddle.length <= MOST
      ? longestCommon(oneMiddle, twoMiddle)
      : [
          { kind: 'removed', bytes: oneMiddle },
          { kind: 'added', bytes: twoMiddle },
        ]
  return [{ kind: 'same', bytes: head }, ...middle, { kind: 'same', bytes: tail } as const].filter(
    ({ bytes }): boolean => bytes.length > 0,
  ) as readonly Run[]
}

/** By the table of the longest common subsequences. */
function longestCommon(one: Uint8Array, two: Uint8Array): readonly Run[] {
  const width = two.length + 1
  const lengths = new Uint16Array((one.length + 1) * width)
  for (let i = one.length - 1; i >= 0; i--) {
    for (let j = two.length - 1; j >= 0; j--) {
      lengths[i * width + j] =
        one[i] === two[j]
          ? (lengths[(i + 1) * width + j + 1] ?? 0) + 1
          : Math.max(lengths[(i + 1) * width + j] ?? 0, lengths[i * width + j + 1] ?? 0)
    }
  }
  const runs: { kind: Run['kind']; bytes: number[] }[] = []
  const put = (kind: Run['kind'], byte = 0) => {
    const last = runs.at(-1)
    if (last?.kind === kind) last.bytes.push(byte)
    else runs.push({ kind, bytes: [byte] })
  }
  let [i, j] = [0, 0]
  while (i < one.length || j < two.length) {
    if (i < one.length && j < two.length && one[i] === two[j]) {
      put('same', one[i])
      i += 1
      j += 1
    } else if (
      j >= two.length ||
      (i < one.length && (lengths[(i + 1) * width + j] ?? 0) >= (lengths[i * width + j + 1] ?? 0))
    ) {
      put('removed', one[i])
      i += 1
    } else {
      put('added', two[j])
      j += 1
    }
  }
  return runs.map(({ kind, bytes }) => ({ kind, bytes: Uint8Array.from(bytes) }))
}
