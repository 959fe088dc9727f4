import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { markdownTable } from '@webhook-receiver/tools/table.mjs'
import { captionOf } from './machine.mjs'

const ROOT = new URL('../../', import.meta.url)

/** The rows of the summary by section, with the date and the machine of each. */
const SUMMARY = new URL('docs/bench/summary.json', ROOT)

/**
 * Writes the charts of each section into docs/bench, its tables into docs/bench.md, and the summary. Sections that did not run keep what they have.
 */
export async function publish(results, machine) {
  const caption = captionOf(machine)
  await mkdir(new URL('docs/bench/', ROOT), { recursive: true })
  const summaries = JSON.parse(await readFile(SUMMARY, 'utf8'))
  for (const [section, { tables, summary, charts }] of Object.entries(results)) {
    for (const { file, svg } of charts) await writeFile(new URL(`docs/bench/${file}`, ROOT), svg)
    await rewrite('docs/bench.md', section, documentOf(section, tables, charts, caption))
    if (summary) {
      summaries[section] = { measured: captionOf(machine, summary.node), rows: summary.rows }
    }
  }
  await writeFile(SUMMARY, `${JSON.stringify(summaries, null, 2)}\n`)
  await rewrite('docs/bench.md', 'summary', summaryOf(summaries))
}

/** One table of all sections. */
export function summaryOf(summaries) {
  const rows = Object.values(summaries).flatMap((section) => section.rows)
  const sections = Object.entries(summaries)
  const measured = sections.map(([name, section]) => `${name} ${section.measured}`).join('; ')
  return [markdownTable(['what', 'compared with', 'result'], rows), `Measured: ${measured}.`].join(
    '\n\n',
  )
}

function documentOf(section, tables, charts, caption) {
  return [
    `\`npm run bench -- ${section} --publish\`: ${caption}.`,
    imagesOf(charts),
    ...tables.flatMap(({ title, head, rows, note }) => [
      `### ${title}`,
      markdownTable(head, rows, { numeric: true }),
      note,
    ]),
  ]
    .filter(Boolean)
    .join('\n\n')
}

function imagesOf(charts) {
  const titleOf = (svg) => /<title>(.*)<\/title>/.exec(svg)[1]
  return charts.map(({ file, svg }) => `![${titleOf(svg)}](bench/${file})`).join('\n')
}

/** Puts `text` between the markers of a section in a document. */
async function rewrite(path, section, text) {
  const [begin, end] = [`<!-- bench:${section}:start -->`, `<!-- bench:${section}:end -->`]
  const file = new URL(path, ROOT)
  const document = await readFile(file, 'utf8')
  const [before, rest] = document.split(begin)
  const after = rest?.split(end)[1]
  if (after === undefined) throw new Error(`${path} has no ${begin} … ${end}.`)
  await writeFile(file, `${before}${begin}\n\n${text}\n\n${end}${after}`)
}
