import { writeFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { markdownTable } from '@webhook-receiver/tools/table.mjs'

const FILE = new URL('../../../docs/evidence/wrong-secret.md', import.meta.url)

/** Writes docs/evidence/wrong-secret.md. */
export async function writeEvidence({ results }, cost) {
  const rows = results.map(({ figures }) => Object.values(figures))
  const violations = results.flatMap((result) => result.violations)
  const versions = [...new Set(results.map(({ version }) => version))].join(', ')
  const text = `# Wrong secret: a quarantine beside a flood of forgeries

Written by \`npm run outage -- --wrong-secret --write\` on ${new Date().toISOString().slice(0, 10)}: ${process.platform} ${process.arch},
${availableParallelism()} cores that other work used too, Node ${process.versions.node}, ${versions}.

Each row is a run of its own, with processes and HTTP. A receiver with [a quarantine](../guides/quarantine.md) and its default bounds first has
the right secret and accepts some deliveries beside forgeries, then is killed and started with a wrong secret. The emulator sends genuine
deliveries, spread over a flood of forgeries that are as fresh and well-formed as they are, and sends each up to three times more, signed again. Then the receiver is killed and started with the right secret,
and \`webhook-receiver redrive\` runs three times; the first one is killed with SIGKILL.

The folder is in TMPDIR. It is read every 250 ms; \`most files\` and \`most MiB\` are the largest that was seen, each file rounded up to 4 KiB. In the
row \`control\` nothing tells a forgery from a genuine delivery, and it has to lose some: otherwise the flood would prove nothing.

${markdownTable(Object.keys(results[0].figures), rows)}

${violations.length === 0 ? 'Every promise was kept.' : violations.map((line) => `- ${line}`).join('\n')}

## The cost for an accepted delivery

CPU time of \`receive\` with a quarantine, relative to the same without: **${cost.median}**, the median of ${cost.pairs} pairs of
${cost.deliveries} deliveries each, with quartiles of ${cost.quartiles.join(' and ')}. Without the option nothing of it runs.
`
  await writeFile(FILE, text)
}
