// Copies a neighbour under another name: its files, its lines in the lists, and its packages. What only you know is printed.
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { LISTED_IN, PEERS } from './prove/lists.mjs'

const USAGE = `npm run new -- adapter|service|store NAME [LIKE]
Copies the files of LIKE (koa, mux or dynamodb) and what names it elsewhere under the name NAME, in kebab-case, and prints what is left.
A framework's packages get the versions that npm has.`

/** Without the build, which cannot succeed before the package compiles; `site:write` builds. */
const INSTALL = 'npx -y pnpm@10.34.8 install --ignore-scripts'
const LISTS = 'workshop/prove/test'

const WEEKLY = '.github/workflows/long.yml'
const CATALOG = 'pnpm-workspace.yaml'

/** Where the boxes of the picture of the packages may be, and how far apart its rows are. */
const BOXES = { left: 34, right: 406, row: 38 }

/** What names each adapter, framework and store. */
const MANIFESTS = ['package.json', 'workshop/break/package.json', 'workshop/measure/package.json']

/** What a package has only once: its changes, and the requests that services have really sent. */
const ELSEWHERE = /\/CHANGELOG\.md$|\/test\/field\./

const KINDS = {
  adapter: {
    like: 'koa',
    lists: ['package', 'adapter', 'framework'],
    files: (name) => [
      `packages/${name}`,
      `examples/${name}`,
      `workshop/prove/packed/applications/${name}.ts`,
    ],
    run: [
      INSTALL,
      'npx tsc -b packages/NAME',
      'npm run site:write',
      'npx biome check --write . && npx tsc -p tsconfig.test.json && npx knip --no-config-hints',
      `npx vitest run packages/NAME packages/cli/test/transcripts.test.ts ${LISTS} --update`,
    ],
  },
  store: {
    like: 'dynamodb',
    lists: ['package', 'store'],
    files: (name) => [`packages/${name}`],
    run: [
      INSTALL,
      'npx tsc -b packages/NAME',
      'npm run site:write',
      'npx biome check --write . && npx tsc -p tsconfig.test.json && npx knip --no-config-hints',
      `npx vitest run packages/NAME ${LISTS}`,
      'CI=true npx vitest run --mode processes workshop/break/test/recipes.test.ts',
    ],
  },
  service: {
    like: 'mux',
    lists: ['service'],
    files: (name) => [
      `packages/schemes/src/services/${name}.ts`,
      `packages/schemes/services/${name}.json`,
    ],
    write: [
      'workshop/prove/judges/event-types.mjs: its type of all bodies, if the SDK has one',
      "without an SDK: `{ source: 'https://…' }` in sdks.mjs, and a request that the service has published with its signature in packages/conformance/schemes/published.json",
    ],
    run: [
      'npx -y pnpm@10.34.8 --dir workshop/prove/judges/sdks add --save-exact --ignore-workspace --lockfile-only ITS-SDK',
      'npm run prove -- judges --only NAME --write',
      'npm run site:write',
      `npx vitest run packages/schemes ${LISTS} --update`,
    ],
  },
}

const [kind, name, like = KINDS[kind]?.like] = process.argv.slice(2)
const chosen = KINDS[kind]
if (!chosen || !/^[a-z][a-z\d]*(-[a-z\d]+)*$/.test(name ?? '')) fail(USAGE)

const copies = git('ls-files', '--', ...chosen.files(like)).filter((file) => !ELSEWHERE.test(file))
if (copies.length === 0) fail(`There is no ${kind} ${like}.`)
const [there] = chosen.files(name).filter((file) => existsSync(file))
if (there) fail(`${there} is there already.`)

const packages = kind === 'service' ? [] : packagesOf()
for (const file of copies) write(renamed(file), withoutFacts(file, renamed(read(file))))
const places = chosen.lists.flatMap((list) =>
  Object.entries(LISTED_IN[list]).map(([file, words]) => addTo(file, words(like).trim())),
)
if (kind !== 'service') {
  const mutated = new RegExp(`(- break -- mutation .*\\b${like})\\b`)
  write(WEEKLY, read(WEEKLY).replace(mutated, `$1 ${name}`))
  addPackages()
}

console.log(`
Change these yourself, because they still say what only ${like} has. Delete what ${name} does not need:
${listed([...copies.map(renamed), ...places.flatMap(({ left = [] }) => left), ...(chosen.write ?? [])])}
These already name ${name}. Read what they say of it:
${listed(places.flatMap(({ added = [] }) => added))}
Then, and after each repair:
${chosen.run.map((line) => `  ${line.replaceAll('NAME', name)}`).join('\n')}`)

function listed(lines) {
  return lines.map((line) => `- ${line}`).join('\n')
}

/** Copies what names the neighbour, if it is complete by itself. Returns where that was added, or where it is left to you. */
function addTo(file, words) {
  const lines = read(file).split('\n')
  const at = lines.findIndex((line) => line.toLowerCase().includes(words.toLowerCase()))
  if (at === -1) return {}
  if (file.endsWith('.svg')) return addBox(file, lines, at)
  const isLine = isComplete(lines[at])
  // In a sentence that names all.
  const named = new RegExp(`(?:\\[[^\\]]*\\]\\([./]*${like}\\)|\`${like}\`), `)
  if (named.test(lines[at])) {
    lines[at] = lines[at].replace(named, (found) => found + renamed(found))
    write(file, lines.join('\n'))
    return { added: [`${file}:${at + 1}`] }
  }
  const copied = isLine ? [lines[at]] : blockAround(file, lines, at)
  if (!copied) return { left: [`${file}:${at + 1}, beside ${lines[at].trim().slice(0, 60)}`] }
  const block = copied.map((line) => withoutFacts(file, renamed(line)))
  const place = isLine ? placeOf(lines, at, block[0]) : endOf(lines, at, copied)
  lines.splice(place, 0, ...block)
  write(file, lines.join('\n'))
  return { added: [`${file}:${place + 1}: ${block[0].trim().slice(0, 80)}`] }
}

/**
 * The section of a page, or the function or entry of an application, with what separates it from the next one. Judges differ
 * too much to be copied.
 */
function blockAround(file, lines, at) {
  if (kind === 'service') return undefined
  const forms = file.endsWith('.md')
    ? [
        [/^### /, /^#{1,3} |^<!-- \/?choose/],
        [/^## /, /^#{1,2} /],
      ]
    : [
        [/^export function /, /^[^\s}]/],
        [/^ {2}['\w].*[{`]/, /^ {2}['\w]|^\S/],
      ]
  for (const [isStart, isNext] of forms) {
    const start = lines.findLastIndex((line, index) => index <= at && isStart.test(line))
    const length = lines.slice(start + 1).findIndex((line) => isNext.test(line))
    if (start !== -1 && start + length >= at) return lines.slice(start, start + 1 + length)
  }
  return undefined
}

function endOf(lines, at, block) {
  return lines.findLastIndex((line, index) => index <= at && line === block[0]) + block.length
}

/** Adds a box behind the last one of the panel. Where its row is full, all that is below makes room for another. */
function addBox(file, lines, at) {
  const isBox = (line) => /rect class="ground"|class="strong"/.test(line)
  const next = lines.findIndex((line, index) => index > at && !isBox(line))
  const [, x, y, width] = /x="(\d+)" y="(\d+)" width="(\d+)"/.exec(lines[next - 2]).map(Number)
  const wide = 8 * name.length + 20
  const hasRoom = x + width + 8 + wide <= BOXES.right
  const [left, top] = hasRoom ? [x + width + 8, y] : [BOXES.left, y + BOXES.row]
  const panel = lines.findLastIndex((line, index) => index < at && line.includes('class="plain"'))
  const moved = (line, index) => {
    if (hasRoom) return line
    if (index >= next) return lower(line)
    const isHigher = index === panel || /^<svg |^<rect class="ground" x="0\.5"/.test(line)
    return isHigher ? higher(line) : line
  }
  const drawn = lines.map(moved)
  drawn.splice(
    next,
    0,
    `<rect class="ground" x="${left}" y="${top}" width="${wide}" height="30" rx="6"/>`,
    `<text class="strong" x="${left + wide / 2}" y="${top + 20}" text-anchor="middle">${name}</text>`,
  )
  write(file, drawn.join('\n'))
  return {}
}

function lower(line) {
  const add = (_, before, y) => before + (Number(y) + BOXES.row)
  return line.replace(/( y=")(\d+)/, add).replace(/([ML][\d.]+ )([\d.]+)/g, add)
}

function higher(line) {
  return line.replace(
    /( height="|viewBox="0 0 \d+ )(\d+)/g,
    (_, before, height) => before + (Number(height) + BOXES.row),
  )
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

/** What the neighbour's applications install, under the new name, with the version that npm has; those that npm does not have are left out. */
function packagesOf() {
  const ours = [`@webhook-receiver/${like}`, `@webhook-receiver/${name}`]
  const others = Object.keys(PEERS[like] ?? {}).map((from) => [from, renamed(from)])
  const found = others.map(([from, to]) => [from, to, from === to ? undefined : versionOf(to)])
  if (found.length > 0 && !found.some(([, to, version]) => to === name && version)) {
    fail(`npm has no package ${name}, which should be the framework.`)
  }
  return [ours, ...found.filter(([from, to]) => from !== to)]
}

function versionOf(name) {
  const { stdout } = spawnSync('npm', ['view', name, 'version'], { encoding: 'utf8' })
  return stdout?.trim() || undefined
}

/** Names the packages wherever those of the neighbour are named, and the kind's own list. */
function addPackages() {
  const given = packages.filter(([, to, version]) => version || to.startsWith('@webhook-receiver/'))
  for (const file of MANIFESTS) {
    changeManifest(file, (names) => ({
      ...names,
      ...Object.fromEntries(
        given.flatMap(([from, to]) => (names[from] ? [[to, names[from]]] : [])),
      ),
    }))
  }
  const without = packages.filter((one) => !given.includes(one)).map(([, to]) => to)
  for (const file of [`packages/${name}/package.json`, `examples/${name}/package.json`]) {
    if (!existsSync(file)) continue
    changeManifest(file, (names) =>
      Object.fromEntries(
        Object.entries(names).flatMap(([each, range]) => {
          const version = given.find(([, to]) => to === each)?.[2]
          if (without.includes(each)) return []
          return [[each, version && /\d/.test(range) ? `^${version}` : range]]
        }),
      ),
    )
  }
  const versions = given.filter(([, , version]) => version)
  for (const [, to, version] of versions) {
    const lines = read(CATALOG).split('\n')
    const isBehind = (line) => /^ {2}\S+: /.test(line) && line.replaceAll("'", '').trim() > to
    lines.splice(lines.findIndex(isBehind), 0, `  ${quoted(to)}: ^${version}`)
    write(CATALOG, lines.join('\n'))
  }
  const file = 'workshop/prove/lists.mjs'
  const peers = versions.map(([, to, version]) => `${quoted(to)}: '${rangeOf(version)}'`)
  write(
    file,
    read(file)
      .replace(new RegExp(`^  ${like}: {.*},$`, 'm'), (line) =>
        kind === 'adapter' ? `${line}\n  ${quoted(name)}: { ${peers.join(', ')} },` : line,
      )
      .replace(/(?<=^export const STORES = \[.*')(?=\])/m, kind === 'store' ? `, '${name}'` : ''),
  )
}

/** The lists of a manifest in the order of names, as pnpm writes them. */
function changeManifest(file, change) {
  const manifest = JSON.parse(read(file))
  for (const list of [
    'dependencies',
    'devDependencies',
    'peerDependencies',
    'peerDependenciesMeta',
  ]) {
    if (!manifest[list]) continue
    const names = Object.entries(change(manifest[list]))
    names.sort(([one], [other]) => (one < other ? -1 : 1))
    manifest[list] = names.length > 0 ? Object.fromEntries(names) : undefined
  }
  write(file, `${JSON.stringify(manifest, null, 2)}\n`)
}

function quoted(name) {
  return /^\w+$/.test(name) ? name : `'${name}'`
}

/** What `^` would let in, as an application asks for it. */
function rangeOf(version) {
  const [major, minor] = version.split('.')
  return major === '0' ? `0.${minor}` : major
}

/**
 * Without the neighbour's facts. The value of a service is rejected until it has a day, and its pages have addresses. What users read of an
 * adapter has the version of its framework, and no parser of the neighbour's.
 */
function withoutFacts(file, text) {
  if (kind === 'service') {
    return text
      .replace(/checked: '[^']*'/, "checked: ''")
      .replace(/https:\/\/[^'"\s]+/g, 'https://')
  }
  const version = packages.find(([, to]) => to === name)?.[2]
  if (!version || !/\.(md|json)$|\/(add|examples)\//.test(file)) return text
  const title = name.split('-').map(capital).join(' ')
  const number = '\\d+(?:\\.\\d+)*\\+?'
  const versions = new RegExp(
    `(?<=${title}(?:\\]\\(\\S+\\))? )${number}(?: or newer)?(?:(?:,? (?:and|or)|,) ${number})*`,
    'g',
  )
  const parser = new RegExp(`(?:\\bany )?\`?\\b${name}\\.json\\(\\)\`?`, 'g')
  return text.replace(versions, rangeOf(version)).replace(parser, 'any body parser')
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
