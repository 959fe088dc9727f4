import { readFile, writeFile } from 'node:fs/promises'
import { availableParallelism, cpus } from 'node:os'
import { fileURLToPath } from 'node:url'
import { markdownTable } from '@webhook-receiver/tools/table.mjs'
import { beyondExample } from './example-vectors.mjs'
import { mergeExamples } from './merge.mjs'
import { countOf, deviationsOf } from './report.mjs'
import { beyondReceive, vectors } from './vectors.mjs'

const EVIDENCE = fileURLToPath(new URL('../../../docs/evidence/runtimes.md', import.meta.url))

/** Writes the record of evidence. */
export async function writeDocuments(results, examples, seconds) {
  const tables = `${runtimeTable(results)}

${exampleTable(examples)}`
  await writeFile(EVIDENCE, evidence(results, examples, tables, seconds))
}

/** Writes the results of some examples into the record of the last whole run. */
export async function writeExamples(examples) {
  const date = new Date().toISOString().slice(0, 10)
  const rows = exampleRows(examples).map(([link, ...rest]) => [fromEvidence(link), ...rest])
  const before = await readFile(EVIDENCE, 'utf8')
  await writeFile(EVIDENCE, mergeExamples(before, rows, deviationsOf([], examples), date))
}

function runtimeTable(results) {
  return markdownTable(
    ['runtime', 'MAC', 'core suite', '`receive`', '`receiveRequest`', 'Hono'],
    results.map(({ runtime, suite, receive, receiveRequest, hono }) => [
      runtime.name,
      receive.backend === 'WebCrypto' ? 'WebCrypto' : `\`${receive.backend}\``,
      ...[suite, receive, receiveRequest, hono].map(countOf),
    ]),
  )
}

function exampleTable(examples) {
  return markdownTable(['example', 'on', 'vectors'], exampleRows(examples))
}

function exampleRows(examples) {
  return examples.map(({ name, on, vectors: found }) => [
    `[examples/${name}](examples/${name})`,
    on,
    countOf(found),
  ])
}

/** The links of the tables are those of the root. */
function fromEvidence(text) {
  return text.replaceAll('](examples/', '](../../examples/')
}

function evidence(results, examples, tables, seconds) {
  const date = new Date().toISOString().slice(0, 10)
  const web = results.filter(({ receiveWeb }) => receiveWeb)
  const rows = deviationsOf(results, examples).map(({ where, what, saw, why }) => [
    where,
    what,
    saw,
    why,
  ])
  return `# Runtimes

Written by the command itself, on ${date}; it took ${Math.round(seconds / 60)} min on ${availableParallelism()} cores (${cpus()[0]?.model}):

\`\`\`sh
npm run runtimes -- --write
\`\`\`

It installs the runtimes from the npm registry, the newest of each line, and this repository's packages from their tarballs, in
a folder of their own.

${fromEvidence(tables)}

## What ran

**Core suite**: every test file of \`packages/core/test\` as it is, ${results[0].suite.files} files, by vitest: in the runtime itself, and in workerd by
\`@cloudflare/vitest-plugin\`. ${results[0].suite.skipped} tests are skipped everywhere, since they need the file of Project Wycheproof.

**\`receive\`**: each vector given to \`receiver.receive\` in a process of the runtime, without HTTP, from the packed package as the runtime
resolves it; for workerd it is bundled as for a Worker, without \`nodejs_compat\`. Which backend computed the MAC was counted, not
assumed. The same again on WebCrypto, where that is not what the runtime chooses:
${web.map(({ runtime, receiveWeb }) => `${runtime.name} ${countOf(receiveWeb)}`).join(', ')}.

**\`receiveRequest\`** and **Hono**: all vectors over raw sockets, by the runner of the conformance package, unchanged; on \`node:http\`
with \`@hono/node-server\`, on \`Bun.serve\`, \`Deno.serve\` and the fetch handler of workerd. The handler's runs are counted.

**Examples**: each copied, installed and type-checked or built as a user does it, started with the clock of the vectors, and played the
vectors; the lines on standard output are counted and looked at. Without a secret it either does not start or answers 503.

## What was left out

Of ${vectors.counts.total} vectors, by the reason:

${markdownTable(['', 'vectors', 'reason'], [...leftOut('`receive`', beyondReceive), ...leftOut('examples with a store', (vector) => beyondExample(vector, true)), ...leftOut('other examples', beyondExample), ...leftOut('`receiveRequest`, Hono', ({ needs_store: store }) => (store ? 'needs a store' : undefined))])}

## What differs

What is missing in the tables is here, one by one; a run fails where anything else differs, and where one of these does not differ any
more. All of it is what the runtime or its HTTP server does, before or beside the receiver.

${markdownTable(['where', 'test or vector', 'seen', 'why'], rows)}

## What it does not show

How the same code does in production on Cloudflare's, Deno's or Vercel's network, where another HTTP server stands in front. Nothing about
speed. Only one platform was run: ${process.platform}-${process.arch}.
`
}

function leftOut(what, reasonOf) {
  const counts = new Map()
  for (const vector of vectors.cases) {
    const reason = reasonOf(vector)
    if (reason) counts.set(reason, (counts.get(reason) ?? 0) + 1)
  }
  return [...counts].map(([reason, count]) => [what, count, reason])
}
