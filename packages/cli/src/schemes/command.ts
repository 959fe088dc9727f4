import { type CommandContext, writeJson } from '../console/index.ts'
import { general, type MakeCommand, newCommand } from '../options/index.ts'
import { allSchemes, findScheme } from '../options/scheme.ts'
import { factsOf, type SchemeFacts } from './facts.ts'
import { schemeLines, schemeTable } from './report.ts'

/** `schemes`: which services there are, and what their signatures are worth. */
export const schemesCommand: MakeCommand = (context, end) =>
  general(
    newCommand('schemes', 'List the services whose signatures can be verified', [
      'schemes',
      'schemes github',
    ]).argument('[name]', 'show all that is known of this service, or of the scheme in a module'),
  ).action(async (name, { json }) => {
    const named = name === undefined ? await allSchemes() : [await findScheme(name)]
    write(await Promise.all(named.map(factsOf)), context, { json, single: name !== undefined })
    end(0)
  })

function write(
  all: readonly SchemeFacts[],
  { stdout }: CommandContext,
  { json, single }: { readonly json?: true | undefined; readonly single: boolean },
): void {
  if (json) for (const facts of all) writeJson(stdout, facts)
  else stdout.write(`${(single ? all.flatMap(schemeLines) : schemeTable(all)).join('\n')}\n`)
}
