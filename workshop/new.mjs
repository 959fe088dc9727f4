// Copies a neighbour under another name: its files, its lines in the lists, and its packages. What only you know is printed.
import { existsSync } from 'node:fs'
import { withoutFacts } from './new/facts.mjs'
import { fail, git, read, write } from './new/files.mjs'
import { chosen, given, kind, like, name } from './new/kinds.mjs'
import { addTo } from './new/lists.mjs'
import { renamed, withDrivers } from './new/names.mjs'
import { addPackages, engines } from './new/packages.mjs'
import { LISTED_IN } from './prove/lists.mjs'

const WEEKLY = '.github/workflows/long.yml'

/** What a package has only once: its changes, and the requests that services have really sent. */
const ELSEWHERE = /\/CHANGELOG\.md$|\/test\/field\./

/** Copies that say nothing but the name. */
const NAMES_ONLY = /\.json$|^examples\/.*\.md$|\/src\/index\.ts$/

const copies = git('ls-files', '--', ...chosen.files(like)).filter((file) => !ELSEWHERE.test(file))
if (copies.length === 0) fail(`There is no ${kind} ${like}.`)
const [there] = chosen.files(name).filter((file) => existsSync(file))
if (there) fail(`${there} is there already.`)

for (const file of copies) {
  const text = withoutFacts(file, renamed(read(file)))
  write(renamed(file), kind === 'store' ? withDrivers(text) : text)
}
const places = chosen.lists.flatMap((list) =>
  Object.entries(LISTED_IN[list]).map(([file, words]) => addTo(file, words(like).trim())),
)
if (kind !== 'service') {
  const mutated = new RegExp(`(- break -- mutation .*\\b${like})\\b`)
  write(WEEKLY, read(WEEKLY).replace(mutated, `$1 ${name}`))
  addPackages()
}

const isNamed = (file) => kind !== 'service' && NAMES_ONLY.test(file)
const named = copies.map(renamed).filter(isNamed)
const changed = copies.map(renamed).filter((file) => !isNamed(file))
console.log(`
Change these yourself, because they still say what only ${like} has. Delete what ${name} does not need:
${listed([...changed, ...places.flatMap(({ left = [] }) => left), ...(chosen.write ?? [])])}
${engines ? `npm says that ${given} runs on Node ${engines}; this project runs on 20.19 and newer. If it needs a newer one, take an older framework: ${name}@VERSION.\n` : ''}These already name ${name}. Read what they say of it:
${listed([...named, ...places.flatMap(({ added = [] }) => added)])}
Then, and after each repair:
${chosen.run.map((line) => `  ${line.replaceAll('NAME', name)}`).join('\n')}`)

function listed(lines) {
  return lines.map((line) => `- ${line}`).join('\n')
}
