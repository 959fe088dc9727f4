import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { Instrumenter } from '@stryker-mutator/instrumenter'
import { seeded } from '@webhook-receiver/tools/random.mjs'

/** Files that are words for a reader: the tests state codes and statuses, not every sentence. */
const WORDS = ['core/src/reject/explanation.ts']

const silent = new Proxy({}, { get: () => () => false })

/**
 * Every mutant of a package's source, and its files with all of them inside, each behind a switch.
 * `constant` marks what stands outside of every function, and so is made when its module is loaded.
 */
export async function mutantsOf(name, parts, root) {
  const files = new Map()
  const mutants = []
  for (const path of sourcesOf(name, parts, root)) {
    const file = relative(root, path).replace('packages/', '')
    const first = mutants.length
    const { result, functions } = await instrumented(path, WORDS.includes(file))
    for (const mutant of result.mutants) {
      const { location, mutatorName, replacement, statusReason } = mutant
      mutants.push({
        id: String(first + Number(mutant.id)),
        file,
        line: location.start.line + 1,
        mutatorName,
        original: textAt(path, location),
        replacement,
        statusReason,
        constant: !functions.some((outer) => isWithin(location, outer)),
      })
    }
    files.set(path, bounded(renumbered(result.files[0].content, first)))
  }
  return { files, mutants }
}

/** As many as `sample` says, in their order. */
export function sampleOf(mutants, { sample, seed }) {
  const random = seeded(seed)
  const drawn = mutants
    .map((mutant, index) => ({ mutant, index, place: random() }))
    .sort((one, other) => one.place - other.place)
    .slice(0, sample)
  return drawn.sort((one, other) => one.index - other.index).map(({ mutant }) => mutant)
}

function sourcesOf(name, parts, root) {
  const source = join(root, 'packages', name, 'src')
  return readdirSync(source, { recursive: true })
    .filter((file) => file.endsWith('.ts') && !/(^|\/)index\.ts$|\.d\.ts$/.test(file))
    .map((file) => join(source, file))
    .filter((path) => parts.length === 0 || parts.some((part) => path.includes(part)))
    .sort()
}

async function instrumented(path, words) {
  const file = { name: path, content: readFileSync(path, 'utf8'), mutate: true }
  const excludedMutations = words ? ['StringLiteral'] : []
  const functions = []
  const ignorers = [texts, { shouldIgnore: (node) => noteFunction(node, functions) }]
  const options = { plugins: null, excludedMutations, ignorers }
  return { result: await new Instrumenter(silent).instrument([file], options), functions }
}

/** The sentences of a TypeError are for a reader, too. */
const texts = {
  shouldIgnore(node) {
    const isText = node.isStringLiteral() || node.isTemplateLiteral()
    const error = isText && node.findParent((parent) => parent.isNewExpression())
    return error && /Error$/.test(error.node.callee.name ?? '') ? 'text of an error' : undefined
  },
}

/** Ignores nothing: what it is shown is every node of the file. Lines are counted from 0, as those of a mutant. */
function noteFunction(path, functions) {
  const { start, end } = path.node.loc ?? {}
  if (path.isFunction() && start) {
    const at = ({ line, column }) => ({ line: line - 1, column })
    functions.push({ start: at(start), end: at(end) })
  }
}

/** Whether a place lies in a function, and is not the function itself, which is a value like any other. */
function isWithin({ start, end }, outer) {
  const order = (left, right) => left.line - right.line || left.column - right.column
  const [before, behind] = [order(outer.start, start), order(end, outer.end)]
  return before <= 0 && behind <= 0 && before + behind !== 0
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
