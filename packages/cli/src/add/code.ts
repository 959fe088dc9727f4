/** What one file imports from one module. */
export interface Import {
  readonly from: string
  readonly default?: string
  readonly names?: readonly string[]
  /** Only for types: left out in JavaScript. */
  readonly types?: readonly string[]
}

/** A file before its language is known. Its code has `export const` or `export default`, and no other export. */
export interface Code {
  readonly imports: readonly Import[]
  readonly body: string
}

/** How a file is written. TypeScript always imports; a compiler makes CommonJS of it. */
export interface Dialect {
  readonly language: 'ts' | 'js'
  readonly module: 'esm' | 'cjs'
  /** What stands behind the path of an own file that is imported. */
  readonly ending: '' | '.js' | '.ts'
}

/** What the column of the site shows. */
const COLUMNS = 76

/** The text of a file: its imports, sorted by module, and its body. */
export function printed({ imports, body }: Code, dialect: Dialect): string {
  const lines = merged(imports)
    .map((each) => ({ ...each, from: withEnding(each.from, dialect) }))
    .sort((one, other) => (rankOf(one) < rankOf(other) ? -1 : 1))
    .flatMap((each) => (isRequired(dialect) ? requireLine(each) : importLine(each, dialect)))
  const head = lines.length > 0 ? `${lines.join('\n')}\n\n` : ''
  return `${head}${isRequired(dialect) ? withoutExports(body) : body}\n`
}

/** `./$types` is none of the project's own files. */
export function withEnding(from: string, { ending }: Dialect): string {
  return /^\.+\/(?!\$)/.test(from) ? from + ending : from
}

/** Lines that stand deeper. Empty ones stay empty. */
export function indented(text: string, by = '  '): string {
  return text.replaceAll(/^(?=.)/gm, by)
}

/** Items between two brackets, on one line if they fit into what is left of it. */
export function list(
  [open, close]: readonly [string, string],
  items: readonly string[],
  room: number = COLUMNS,
): string {
  const one = `${open}${items.join(', ')}${close}`
  if (one.length <= room && !one.includes('\n')) return one
  return `${open.trimEnd()}\n${items.map((item) => `${indented(item)},`).join('\n')}\n${close.trimStart()}`
}

/** The end of a line, on the next one if it does not fit. */
export function fitted(begin: string, end: string): string {
  const one = `${begin} ${end}`
  return one.length <= COLUMNS ? one : `${begin}\n${indented(end)}`
}

function isRequired({ language, module }: Dialect): boolean {
  return language === 'js' && module === 'cjs'
}

/** Several parts of a file may import from one module. */
function merged(imports: readonly Import[]): Import[] {
  const found = new Map<string, Import>()
  for (const { from, default: own, names = [], types = [] } of imports) {
    const before = found.get(from)
    const main = own ?? before?.default
    found.set(from, {
      from,
      ...(main !== undefined && { default: main }),
      names: [...new Set([...(before?.names ?? []), ...names])],
      types: [...new Set([...(before?.types ?? []), ...types])],
    })
  }
  return [...found.values()]
}

/** What is imported for its effect first, then modules of Node, and own files last. */
function rankOf({ from, default: own, names = [], types = [] }: Import): string {
  if (own === undefined && names.length + types.length === 0) return `-${from}`
  const rank = from.startsWith('node:')
    ? 0
    : from.startsWith('@')
      ? 1
      : from.startsWith('.')
        ? 3
        : 2
  return `${rank}${from}`
}

function importLine({ from, default: own, names = [], types = [] }: Import, { language }: Dialect) {
  const shownTypes = language === 'ts' ? types : []
  if (names.length === 0 && own === undefined && types.length > 0) {
    if (shownTypes.length === 0) return []
    return [`${list(['import type { ', ' }'], types, 50)} from '${from}'`]
  }
  const all = [...names, ...shownTypes.map((type) => `type ${type}`)].sort((one, other) =>
    one.replace('type ', '') < other.replace('type ', '') ? -1 : 1,
  )
  if (all.length === 0)
    return [own === undefined ? `import '${from}'` : `import ${own} from '${from}'`]
  const begin = own === undefined ? 'import { ' : `import ${own}, { `
  return [`${list([begin, ' }'], all, COLUMNS - from.length - 8)} from '${from}'`]
}

function requireLine({ from, default: own, names = [], types = [] }: Import): readonly string[] {
  if (names.length === 0 && own === undefined) {
    return types.length > 0 ? [] : [`require('${from}')`]
  }
  const lines = own === undefined ? [] : [`const ${own} = require('${from}')`]
  if (names.length === 0) return lines
  const begin = list(['const { ', ' }'], names, COLUMNS - from.length - 15)
  return [...lines, `${begin} = require('${from}')`]
}

function withoutExports(body: string): string {
  const names = [...body.matchAll(/^export (?:const|class|async function|function) (\w+)/gm)].map(
    ([, name]) => name,
  )
  const text = body.replaceAll(/^export (?=const|class|async function|function)/gm, '')
  return names.length === 0 ? text : `${text}\n\nmodule.exports = { ${names.join(', ')} }`
}
