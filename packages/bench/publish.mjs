import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { markdown } from '@webhook-receiver/tools/figures.mjs'
import { captionOf } from './machine.mjs'
import { GOALS_HEAD, goalRow } from './report.mjs'

const ROOT = new URL('../../', import.meta.url)

/**
 * Writes the charts of each section into docs/bench, its tables and goals into its part of docs/bench.md, and
 * the charts that are worth a look into the README. Sections that did not run keep what they have.
 */
export async function publish(results, machine) {
  const caption = captionOf(machine)
  await mkdir(new URL('docs/bench/', ROOT), { recursive: true })
  for (const [section, { tables, goals, charts }] of Object.entries(results)) {
    for (const { file, svg } of charts) await writeFile(new URL(`docs/bench/${file}`, ROOT), svg)
    await rewrite('docs/bench.md', section, documentOf(section, { tables, goals, charts }, caption))
    const shown = charts.filter((chart) => chart.shown)
    if (shown.length > 0) await rewrite('README.md', section, summaryOf(shown, goals, caption))
  }
}

function documentOf(section, { tables, goals, charts }, caption) {
  return [
    `\`npm run bench -- ${section} --publish\`: ${caption}.`,
    ...(goals.length > 0 ? [markdown({ head: GOALS_HEAD, rows: goals.map(goalRow) })] : []),
    ...charts.map(({ file, svg }) => `![${titleOf(svg)}](bench/${file})`),
    ...tables.flatMap(({ title, note, ...table }) => [`### ${title}`, markdown(table), note]),
  ]
    .filter(Boolean)
    .join('\n\n')
}

function summaryOf(charts, goals, caption) {
  const met = goals.filter(({ outcome }) => outcome === 'met').length
  return [
    ...charts.map(({ file, svg }) => `![${titleOf(svg)}](docs/bench/${file})`),
    `${met} of ${goals.length} figures meet their goal; [docs/bench.md](docs/bench.md) has each of them. ${caption}.`,
  ].join('\n\n')
}

function titleOf(svg) {
  return /<title>(.*)<\/title>/.exec(svg)[1]
}

/** Puts `text` between the markers of a section in a document, and leaves the rest of it alone. */
async function rewrite(path, section, text) {
  const [begin, end] = [`<!-- bench:${section}:start -->`, `<!-- bench:${section}:end -->`]
  const file = new URL(path, ROOT)
  const document = await readFile(file, 'utf8')
  const [before, rest] = document.split(begin)
  const after = rest?.split(end)[1]
  if (after === undefined) throw new Error(`${path} has no ${begin} … ${end}.`)
  await writeFile(file, `${before}${begin}\n\n${text}\n\n${end}${after}`)
}
