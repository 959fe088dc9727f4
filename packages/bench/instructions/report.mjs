import { table, tick } from '@webhook-receiver/tools/table.mjs'

/**
 * The most that a verdict may take of the textbook's instructions: what was counted when it was last looked at, and
 * a few hundredths for other versions of Node. The figures are in docs/evidence/instructions.md.
 */
const LIMIT = 1.05

/** Prints what was counted, and whether it is in its limit: otherwise the process exits with 1. */
export function report(results, { sizes, calls, repeats }) {
  const rows = sizes.map((bytes) => {
    const [ours, textbook] = ['ours', 'textbook'].map((subject) =>
      results.find((result) => result.bytes === bytes && result.subject === subject),
    )
    const ratio = median(ours.perCall) / median(textbook.perCall)
    if (!(ratio <= LIMIT)) process.exitCode = 1
    return [
      `${bytes} bytes`,
      ...[ours, textbook].flatMap(({ perCall, totals }) => [
        Math.round(median(perCall)).toString(),
        // Of the totals, and of what is left when one is taken from the other.
        Math.max(...totals.map(spread)).toExponential(1),
        spread(perCall).toExponential(1),
      ]),
      `${tick(ratio <= LIMIT)} ${ratio.toFixed(3)}`,
      String(LIMIT),
    ]
  })
  const counted = (name) => [`${name}, per call`, 'totals agree to', 'calls agree to']
  console.log(table(['body', ...counted('ours'), ...counted('textbook'), 'ratio', 'limit'], rows))
  console.log(
    `\nNode ${process.versions.node}, OpenSSL ${process.versions.openssl}, ${calls} calls, ${repeats} repeats`,
  )
}

function median(numbers) {
  const sorted = numbers.toSorted((a, b) => a - b)
  return (sorted[(sorted.length - 1) >> 1] + sorted[sorted.length >> 1]) / 2
}

/** How far the largest lies above the least, as a part of it. */
function spread(numbers) {
  return Math.max(...numbers) / Math.min(...numbers) - 1
}
