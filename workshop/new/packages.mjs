import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { PEERS } from '../prove/lists.mjs'
import { fail, read, write } from './files.mjs'
import { given, kind, like, name, version } from './kinds.mjs'
import { renamed } from './names.mjs'

const CATALOG = 'pnpm-workspace.yaml'

/** What names each adapter, framework and store; the last has what the tests of a store connect to. */
const MANIFESTS = ['package.json', 'workshop/break/package.json']
if (kind === 'store') MANIFESTS.push('workshop/prove/package.json')

/** What the framework says of the Node that it runs on. */
export let engines

/** Each as what the neighbour has, what that is here, and the version that npm has of it, if it is another's. */
export const packages = packagesOf()

/** What the neighbour's applications install, under the new name, with the version that npm has; those that npm does not have are left out. */
function packagesOf() {
  if (kind === 'service') return []
  const ours = [`@webhook-receiver/${like}`, `@webhook-receiver/${name}`]
  const others = Object.keys(PEERS[like] ?? {}).map((from) => [from, renamed(from)])
  const found = others.map(([from, to]) => [from, to, from === to ? undefined : versionOf(to)])
  if (found.length > 0 && !found.some(([, to, version]) => to === name && version)) {
    fail(`npm has no package ${given}, which should be the framework.`)
  }
  return [ours, ...found.filter(([from, to]) => from !== to)]
}

function versionOf(found) {
  const wanted = found === name && version ? `${found}@${version}` : found
  const args = ['view', wanted, 'version', 'engines.node', '--json']
  const { status, stdout } = spawnSync('npm', args, { encoding: 'utf8' })
  if (status !== 0 || !stdout.trim()) return undefined
  // One version or several, each a string where it says nothing of Node.
  const all = [JSON.parse(stdout)]
    .flat()
    .map((one) => (Object(one).version ? one : { version: one }))
  const [newest] = all.sort((one, other) =>
    other.version.localeCompare(one.version, 'en', { numeric: true }),
  )
  if (found === name) engines = newest['engines.node']
  return newest.version
}

/** Names the packages wherever those of the neighbour are named, and the kind's own list. */
export function addPackages() {
  const known = packages.filter(([, to, version]) => version || to.startsWith('@webhook-receiver/'))
  for (const file of MANIFESTS) {
    changeManifest(file, (names) => ({
      ...names,
      ...Object.fromEntries(
        known.flatMap(([from, to]) => (names[from] ? [[to, names[from]]] : [])),
      ),
    }))
  }
  const without = packages.filter((one) => !known.includes(one)).map(([, to]) => to)
  for (const file of [`packages/${name}/package.json`, `examples/${name}/package.json`]) {
    if (!existsSync(file)) continue
    changeManifest(file, (names) =>
      Object.fromEntries(
        Object.entries(names).flatMap(([each, range]) => {
          const version = known.find(([, to]) => to === each)?.[2]
          if (without.includes(each)) return []
          return [[each, version && /\d/.test(range) ? `^${version}` : range]]
        }),
      ),
    )
  }
  const versions = known.filter(([, , version]) => version)
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
export function rangeOf(version) {
  const [major, minor] = version.split('.')
  return major === '0' ? `0.${minor}` : major
}
