// Copies a neighbour under another name: its files, and its line in each list. What only you know is printed.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { LISTED_IN } from './prove/lists.mjs'

const USAGE = `npm run new -- adapter|service|store NAME [LIKE]
Copies the files of LIKE (by default koa, mux or dynamodb) and its line in each list under the name NAME, in kebab-case, and prints what is left.`

const LISTS = 'workshop/prove/test'
const CHECKS =
  'npx biome check --write . ; npx tsc -p tsconfig.test.json ; npx knip --no-config-hints'

/** Installs without the build, which cannot succeed before the package compiles; `site:write` builds. */
const forPackage = (...more) => [
  'npx -y pnpm@10.34.8 install --ignore-scripts',
  'npx tsc -b packages/NAME',
  'npm run site:write',
  CHECKS,
  `npx vitest run packages/NAME packages/cli/test/transcripts.test.ts ${LISTS} --update`,
  ...more,
  'npm run check',
]

/** Renamed like all the rest: whatever has such a name on npm would be installed. */
const GUESSED =
  'packages/NAME/package.json, before you install: the packages of others, whose names are changed too'

const KINDS = {
  adapter: {
    like: 'koa',
    lists: ['package', 'adapter', 'framework'],
    files: (name) => [
      `packages/${name}`,
      `examples/${name}`,
      `packages/cli/src/add/frameworks/${name}.ts`,
    ],
    write: [
      GUESSED,
      'pnpm-workspace.yaml, package.json, workshop/break/package.json: the packages of its framework, with their newest versions',
      'docs/reference/command-line.md: the sentence of `--form middleware`',
      'packages/cli/src/add/frameworks/index.ts: its entry in FRAMEWORKS',
      '.github/workflows/long.yml: behind its neighbour at `break -- mutation`',
    ],
    run: forPackage(
      "npm run test:processes -- workshop/prove/test/{examples,start}.test.ts -t 'NAME|TITLE'",
      'npm run prove -- add --only NAME',
    ),
  },
  store: {
    like: 'dynamodb',
    lists: ['package', 'store'],
    // The second has what its tests connect to.
    files: (name) => [`packages/${name}`, `workshop/prove/${name}.mjs`],
    write: [
      GUESSED,
      'packages/cli/src/add/stores.ts: StoreName',
      'workshop/prove/package.json, if you keep workshop/prove/NAME.mjs; .github/workflows/long.yml: behind its neighbour at `break -- mutation`',
      'workshop/prove/lists.mjs: STORES',
      'package.json and knip.js: the client that its README imports (devDependencies, ignoreDependencies)',
      'docs/reference/stores.md: its row in the first table',
      'README.md, docs/handling.md and docs/guides/production.md: the sentences that name the stores',
    ],
    run: forPackage(
      'CI=true npm run test:processes -- packages/NAME workshop/break/test/recipes.test.ts',
    ),
  },
  service: {
    like: 'mux',
    lists: ['service'],
    files: (name) => [
      `packages/schemes/src/services/${name}.ts`,
      `packages/schemes/services/${name}.json`,
    ],
    write: [
      'packages/core/src/verify/other-service.ts: the header of its signature',
      'packages/schemes/src/services/NAME.ts: `several` in `secret`, which says which of several secrets signs',
      'workshop/prove/judges/event-types.mjs: its type of all bodies, if the SDK has one',
      "without an SDK: `{ source: 'https://…' }` in sdks.mjs, and a request that the service has published with its signature in packages/conformance/schemes/published.json; no `sdk` in packages/schemes/services/NAME.json",
    ],
    run: [
      'npx -y pnpm@10.34.8 --dir workshop/prove/judges/sdks add --save-exact --ignore-workspace --lockfile-only ITS-SDK',
      'npm run prove -- judges --only NAME --write',
      'npm run site:write',
      CHECKS,
      `npx vitest run packages/schemes packages/cli/test/transcripts.test.ts packages/cli/test/redrive-scheme.test.ts ${LISTS} --update`,
      'npm run check',
    ],
  },
}

/** What a package has only once: its changes, and the requests that services have really sent. */
const ELSEWHERE = /\/CHANGELOG\.md$|\/test\/field\./

const [kind, name = '', like = KINDS[kind]?.like] = process.argv.slice(2)
const chosen = KINDS[kind]
if (!chosen || !/^[a-z][a-z\d]*(?:-[a-z\d]+)*$/.test(name)) fail(USAGE)
const tracked = execFileSync('git', ['ls-files', '--', ...chosen.files(like)], { encoding: 'utf8' })
const copies = tracked.split('\n').filter((file) => file && !ELSEWHERE.test(file))
if (copies.length === 0) fail(`There is no ${kind} ${like}.`)
const there = chosen.files(name).find((file) => existsSync(file))
if (there) fail(`${there} is there already.`)

for (const file of copies) write(renamed(file), withoutFacts(renamed(read(file))))
const places = chosen.lists.flatMap((list) =>
  Object.entries(LISTED_IN[list]).map(([file, words]) => placeIn(file, words(like).trim())),
)
console.log(`
Change these yourself, because they still say what only ${like} has. Delete what ${name} does not need:
${listed([...copies.map(renamed), ...places, ...chosen.write]).replaceAll('NAME', name)}
Then, and after each repair:
${chosen.run.map((line) => `  ${line.replaceAll('NAME', name).replace('TITLE', title(name.split('-')))}`).join('\n')}`)

/** The name in each way of writing it. Where that of the neighbour is one word, what is around it says which way that is. */
function renamed(text) {
  const [from, to] = [like, name].map((kebab) => kebab.split('-'))
  const forms = [
    [camel, '(?<=\\b(?:const|async|function) |\\{ )', '\\b'],
    [pascal, '\\b', '(?=[A-Z])'],
    [(words) => words.join('-')],
    [(words) => words.join('_').toUpperCase()],
    [title],
    [camel],
  ]
  return forms.reduce(
    (changed, [form, before = '', behind = '']) =>
      changed.replace(new RegExp(before + form(from) + behind, 'g'), form(to)),
    text,
  )
}

/** The value of a service is rejected until it has a day, and its pages have addresses. */
function withoutFacts(text) {
  if (kind !== 'service') return text
  return text.replace(/checked: '[^']*'/, "checked: ''").replace(/https:\/\/[^'"\s]+/g, 'https://')
}

/** Adds the name to a list that names the neighbour, or copies its line if that is whole by itself, and says where. */
function placeIn(file, words) {
  const lines = read(file).split('\n')
  const at = lines.findIndex((line) => line.toLowerCase().includes(words.toLowerCase()))
  const line = lines[at] ?? ''
  const last = ` or \`${like}\``
  const extended = line.includes(last)
    ? line.replace(last, `, \`${name}\`${last}`)
    : line.replace(`\`${like}\`, `, `\`${like}\`, \`${name}\`, `)
  // An import of a page is that of its sample.
  const isImport = file.endsWith('.ts') && line.startsWith('import {')
  const isWhole = isImport || /^ *(?:\||["']|export \{|[\w-]+: .*,$).*(?<![{[(])$/.test(line)
  const place = `${file}:${at + 1}`
  if (extended === line && !isWhole) return `${place}, beside ${line.trim()}`
  // The last of a list in JSON has no comma.
  const copy = renamed(line).replace(/^( *"[^"]*")$/, '$1,')
  lines.splice(at, 1, ...(extended === line ? [copy, line] : [extended]))
  write(file, lines.join('\n'))
  return `${place}: ${lines[at].trim()}`
}

function listed(lines) {
  return lines.map((line) => `- ${line}`).join('\n')
}

function camel([first, ...rest]) {
  return first + pascal(rest)
}

function pascal(words) {
  return words.map(capital).join('')
}

function title(words) {
  return words.map(capital).join(' ')
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

function fail(message) {
  console.error(message)
  process.exit(1)
}
