import { readFile, writeFile } from 'node:fs/promises'
import { availableParallelism, cpus, loadavg } from 'node:os'
import { fileURLToPath } from 'node:url'
import { markdownTable } from '@webhook-receiver/tools/table.mjs'
import { editTable } from '../edit-table.mjs'

const EVIDENCE = fileURLToPath(new URL('../../../docs/evidence/start-trials.md', import.meta.url))

/** The seconds of a trial, as cells: each step and the sum. */
export function secondsOf({ install, start, delivery }) {
  return [install, start, delivery, install + start + delivery].map((time) => time.toFixed(1))
}

/** Writes docs/evidence/start-trials.md. */
export async function writeEvidence(results) {
  const date = today()
  await writeFile(
    EVIDENCE,
    `# The Start pages, followed by a program

Written by the command itself, on ${date}, with Node ${process.versions.node}, on ${availableParallelism()} cores (${cpus()[0]?.model})
with a load average of ${loadavg()[1].toFixed(0)}, other work included:

\`\`\`sh
npm run trials -- --write
\`\`\`

For each row, a program does what the page says, in an empty folder outside of the checkout and with an empty cache of npm: it runs the
install lines, saves the code under the name that the page gives, runs the line that starts the server, and runs the commands that send
a delivery in another folder. Everything is taken from the text of the page. Two things differ: our packages come from their tarballs,
through a registry on this machine, and the port is a free one instead of 3000. Bun and Deno are installed
before, and Node 24 for a page that needs a newer Node than this one.

The genuine delivery has to be answered 204 and printed once, and the forged one 401, with its reason on standard error.

\`sum\` is the time of all commands until the answer to the first genuine delivery, in seconds. The time in which a person reads and
types is not in it.

${markdownTable(HEAD, rowsOf(results))}

${FOUND}`,
  )
}

/** Replaces the rows of some pages in docs/evidence/start-trials.md. */
export async function writePages(results) {
  const rows = rowsOf(results)
  const links = new Set(rows.map(([link]) => link))
  const before = await readFile(EVIDENCE, 'utf8')
  const text = editTable(before, HEAD, (old) => [
    ...old.filter(([link]) => !links.has(link)),
    ...rows,
  ])
  const note = `${[...links].join(', ')}: followed on ${today()}, with a load average of ${loadavg()[1].toFixed(0)}.`
  await writeFile(
    EVIDENCE,
    text.replace('\n\n## Where', () => `\n\n${note}\n\n## Where`),
  )
}

const HEAD = ['page', 'with', 'install', 'start', 'first delivery', 'sum']

function rowsOf(results) {
  return results.map(({ page, title, variation, seconds }) => [
    `[${title}](../start/${page}.md)`,
    variation,
    ...secondsOf(seconds),
  ])
}

function today() {
  return new Date().toISOString().slice(0, 10)
}

const FOUND = `## Where a reader had to guess

Before the first run, the pages were read line by line. Each of these places is now in the pages:

- how the same server is written in JavaScript, and which line of the installation it does not need;
- which ending the file needs in a project that is CommonJS;
- how the secret is set in PowerShell;
- in which folder the second terminal has to be, and that \`npx\` asks before it installs something;
- where an application for Next.js comes from.

\`npm create nuxt\` loads its template from GitHub, which the machine of this run cannot reach. So the page for Nuxt begins with an empty folder,
which is enough.
`
