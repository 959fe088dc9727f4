// Copies a neighbour under another name: its files, and its lines in the lists. What only you know is printed.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { LISTED_IN } from './prove/lists.mjs'

const USAGE = `npm run new -- adapter|service|store NAME [LIKE]
Copies the files of LIKE (koa, mux or sqlite) and its lines in the lists under the name NAME, in kebab-case, and prints what is left.`

const PACKAGE = ['npx -y pnpm@10.34.8 install', 'npx tsc -b packages/NAME']
const LISTS = 'npx vitest run packages/NAME workshop/prove/test/lists.test.ts'

const WEEKLY = '.github/workflows/long.yml'

const KINDS = {
  adapter: {
    like: 'koa',
    lists: ['package', 'adapter', 'framework'],
    files: (name) => [
      `packages/${name}`,
      `examples/${name}`,
      `workshop/prove/packed/applications/${name}.ts`,
    ],
    write: [
      'workshop/prove/lists.mjs: PEERS',
      'package.json, workshop/break/package.json and workshop/measure/package.json: the framework, and what types it',
    ],
    run: [...PACKAGE, 'npm run site:write', LISTS],
  },
  store: {
    like: 'sqlite',
    lists: ['package', 'store'],
    files: (name) => [`packages/${name}`],
    write: ['workshop/prove/lists.mjs: STORES'],
    run: [...PACKAGE, LISTS],
  },
  service: {
    like: 'mux',
    lists: ['service'],
    files: (name) => [
      `packages/schemes/src/services/${name}.ts`,
      `packages/schemes/services/${name}.json`,
    ],
    write: ['workshop/prove/judges/event-types.mjs: its type of all bodies, if the SDK has one'],
    run: [
      'npx -y pnpm@10.34.8 --dir workshop/prove/judges/sdks add --save-exact --ignore-workspace --lockfile-only ITS-SDK',
      'npm run prove -- judges --only NAME --write',
      'npm run site:write',
      'npx vitest run packages/schemes workshop/prove/test/lists.test.ts --update',
    ],
  },
}

const [kind, name, like = KINDS[kind]?.like] = process.argv.slice(2)
const chosen = KINDS[kind]
if (!chosen || !/^[a-z][a-z\d]*(-[a-z\d]+)*$/.test(name ?? '')) fail(USAGE)

const copies = git('ls-files', '--', ...chosen.files(like))
if (copies.length === 0) fail(`There is no ${kind} ${like}.`)
const [there] = chosen.files(name).filter((file) => existsSync(file))
if (there) fail(`${there} is there already.`)

for (const file of copies) write(renamed(file), withoutFacts(renamed(read(file))))
const left = chosen.lists.flatMap((list) =>
  Object.entries(LISTED_IN[list]).flatMap(([file, words]) => addTo(file, words(like).trim())),
)
if (kind !== 'service') {
  const mutated = new RegExp(`(- break -- mutation .*\\b${like})\\b`)
  write(WEEKLY, read(WEEKLY).replace(mutated, `$1 ${name}`))
}

console.log(`
Change these yourself, because they still say what only ${like} has:
${[...new Set(copies.map(renamed)), ...left, ...chosen.write].map((line) => `- ${line}`).join('\n')}
Then, and after each repair:
${chosen.run.map((line) => `  ${line.replaceAll('NAME', name)}`).join('\n')}`)

/** Copies the line of the neighbour if it is complete by itself; otherwise returns where it is. */
function addTo(file, words) {
  const lines = read(file).split('\n')
  const at = lines.findIndex((line) => line.toLowerCase().includes(words.toLowerCase()))
  if (at === -1) return []
  if (!isComplete(lines[at])) return [`${file}:${at + 1}, beside ${lines[at].trim().slice(0, 60)}`]
  const line = renamed(lines[at])
  lines.splice(placeOf(lines, at, line), 0, line)
  write(file, lines.join('\n'))
  return [`${file}: ${line.trim().slice(0, 80)}`]
}

function isComplete(line = '') {
  return /^ *(\||"|'|\['|export ).*[^{([]$/.test(line)
}

/** In sorted lists, that of the order; in others, somewhere among the lines of the list. */
function placeOf(lines, at, line) {
  let place = at + 1
  while (isComplete(lines[place]) && lines[place] < line) place += 1
  while (isComplete(lines[place - 1]) && lines[place - 1] > line) place -= 1
  return place
}

/** What only somebody who looked can write: the value of a service is rejected until it has a day, and its pages have addresses. */
function withoutFacts(text) {
  if (kind !== 'service') return text
  return text.replace(/checked: '[^']*'/, "checked: ''").replace(/https:\/\/[^'"\s]+/g, 'https://')
}

/** The name in each way of writing it. Where that of the neighbour is one word, what is around it says which way that is. */
function renamed(text) {
  const camel = ([first, ...rest]) => first + rest.map(capital).join('')
  const forms = [
    [camel, /(?<=\b(?:const|async|function) |\{ |': ')/, /\b/],
    [(words) => words.map(capital).join(''), /\b/, /(?=[A-Z])/],
    [(words) => words.join('-')],
    [(words) => words.join('_').toUpperCase()],
    [(words) => words.map(capital).join(' ')],
    [camel],
  ]
  return forms.reduce((changed, [form, before, behind]) => {
    const seen = new RegExp(
      (before?.source ?? '') + form(like.split('-')) + (behind?.source ?? ''),
      'g',
    )
    return changed.replace(seen, form(name.split('-')))
  }, text)
}

function capital(word) {
  return word[0].toUpperCase() + word.slice(1)
}

function read(file) {
  return readFileSync(file, 'utf8')
}

function write(file, text) {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}

function git(...args) {
  return execFileSync('git', args, { encoding: 'utf8' }).split('\n').filter(Boolean)
}

function fail(message) {
  console.error(message)
  process.exit(1)
}
