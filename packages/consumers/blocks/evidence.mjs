import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { markdownTable } from '@webhook-receiver/tools/table.mjs'
import { DOCS } from './find.mjs'

/** Writes docs/evidence/blocks.md. */
export async function writeEvidence(results) {
  await writeFile(join(DOCS, 'evidence/blocks.md'), page(results))
}

function page(results) {
  const date = new Date().toISOString().slice(0, 10)
  return `# Code blocks that need other packages

Written by the command itself, on ${date}, with Node ${process.versions.node}:

\`\`\`sh
npm run blocks -- --write
\`\`\`

The checkout compiles every code block of the documents. This command takes the blocks that need packages which the checkout does not
have, and every block of a guide that is a server. It installs the newest release of what they need (of NestJS the two newest), and the
packed packages of this repository, in an empty folder. TypeScript checks each block with \`strict\`.

A server, a route or a Lambda function then gets a forged delivery, which has to be answered 401, and a genuine one, which has to be
answered 2xx and handled once. A block that puts deliveries into a queue stands behind the receiver of its page; the queue is a server
that speaks the protocol of the client. Kafka and Temporal have protocols of their own, so these two blocks are only compiled.

${markdownTable(
  ['page', 'block', 'versions', 'deliveries'],
  results.map(({ document, heading, versions, saw }) => [
    `[${document}](../${document})`,
    heading,
    versions.join(', '),
    saw || 'only compiled',
  ]),
)}
`
}
