import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { Instrumenter } from '@stryker-mutator/instrumenter'

/** Files that are words for a reader: the tests state codes and statuses, not every sentence. */
const WORDS = ['core/src/explain.ts']

const silent = new Proxy({}, { get: () => () => false })

/** Every mutant of a package's source, and its files with all of them inside, each behind a switch. */
export async function mutantsOf(name, parts, root) {
  const files = new Map()
  const mutants = []
  for (const path of sourcesOf(name, parts, root)) {
    const file = relative(root, path).replace('packages/', '')
    const words = WORDS.includes(file)
    const [first, result] = [mutants.length, await instrumented(path, words)]
    for (const mutant of result.mutants) {
      const { location, mutatorName, replacement, statusReason } = mutant
      const original = textAt(path, location)
      const { line } = location.start
      const id = String(first + Number(mutant.id))
      mutants.push({ id, file, line: line + 1, mutatorName, original, replacement, statusReason })
    }
    files.set(path, bounded(renumbered(result.files[0].content, first)))
  }
  return { files, mutants }
}

function sourcesOf(name, parts, root) {
  const source = join(root, 'packages', name, 'src')
  return readdirSync(source, { recursive: true })
    .filter((file) => file.endsWith('.ts') && !/(^|\/)index\.ts$|\.d\.ts$/.test(file))
    .map((file) => join(source, file))
    .filter((path) => parts.length === 0 || parts.some((part) => path.includes(part)))
    .sort()
}

function instrumented(path, words) {
  const file = { name: path, content: readFileSync(path, 'utf8'), mutate: true }
  const excludedMutations = words ? ['StringLiteral'] : []
  const options = { plugins: null, excludedMutations, ignorers: [texts] }
  return new Instrumenter(silent).instrument([file], options)
}

/** The sentences of a TypeError are for a reader, too. */
const texts = {
  shouldIgnore(node) {
    const isText = node.isStringLiteral() || node.isTemplateLiteral()
    const error = isText && node.findParent((parent) => parent.isNewExpression())
    return error && /Error$/.test(error.node.callee.name ?? '') ? 'text of an error' : undefined
  },
}

/** Numbers run through the whole package; the instrumenter begins again with each call. */
function renumbered(content, first) {
  return content.replaceAll(/stry(?:MutAct|Cov)_9fa48\(("\d+"(?:,\s*"\d+")*)\)/g, (call, ids) =>
    call.replace(
      ids,
      ids.replaceAll(/\d+/g, (id) => first + Number(id)),
    ),
  )
}

/** Counts every question that is asked, so that a loop ends that goes round for ever because of a mutant in front of it. */
function bounded(content) {
  const start = 'function isActive(id) {'
  const limit = "if (++ns.questions > ns.most) throw new Error('Too many questions');"
  return content.replace(start, `${start} ${limit}`)
}

function textAt(path, { start, end }) {
  const lines = readFileSync(path, 'utf8')
    .split('\n')
    .slice(start.line, end.line + 1)
  lines[lines.length - 1] = lines.at(-1).slice(0, end.column)
  lines[0] = lines[0].slice(start.column)
  return lines.join('\n')
}
