import { cut, printable, wrap, writeJson } from '../console/index.ts'
import { allSchemes, findScheme } from '../options/find-scheme.ts'
import { general, type MakeCommand, newCommand } from '../options/index.ts'
import { factsOf, type SchemeFacts } from './facts.ts'

/** `schemes`: which services there are, and what their signatures are worth. */
export const schemesCommand: MakeCommand = ({ stdout }, end) =>
  general(
    newCommand('schemes', 'List the services whose signatures can be verified', [
      'schemes',
      'schemes github',
    ]).argument('[name]', 'show all that is known of this service, or of the scheme in a module'),
  ).action(async (name, { json }) => {
    const named = name === undefined ? await allSchemes() : [await findScheme(name)]
    const all = await Promise.all(named.map(factsOf))
    if (json) for (const facts of all) writeJson(stdout, facts)
    else {
      const lines = name === undefined ? table(all) : all.flatMap(details)
      stdout.write(`${lines.map(printable).join('\n')}\n`)
    }
    end(0)
  })

/** One line for each scheme. */
function table(all: readonly SchemeFacts[]): readonly string[] {
  const byTitle = all.toSorted((one, other) =>
    (one.title ?? one.name).localeCompare(other.title ?? other.name, 'en'),
  )
  const rows = byTitle.map(({ title, name, import: exported, not_signed }) => [
    title ?? name,
    name,
    exported,
    cut(not_signed.join(', '), 18) || '–',
  ])
  return [['service', '--scheme', 'import', 'not signed'], ...rows].map((row) =>
    row.map((cell, at) => cell.padEnd([19, 22, 21][at] ?? 0)).join(''),
  )
}

/** All that is known of one scheme. */
function details({ title, ...facts }: SchemeFacts): readonly string[] {
  const rows = Object.entries(facts).map(([label, value]) => {
    const text = [value].flat().join(', ')
    const [first = '', ...others] = wrap(text, 17)
    return text === ''
      ? []
      : [`  ${label.replaceAll('_', ' ').padEnd(15)}${first.trim()}`, ...others]
  })
  return [title ?? facts.name, ...rows.flat()]
}
