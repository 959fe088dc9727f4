import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { FRAMEWORKS, STORES, WITHOUT_PEER } from '../../checks/lists.mjs'
import { ROOT } from '../sources.mjs'
import { table } from './table.mjs'

/** Where each published package belongs. One that is missing here is an error, so that it is not forgotten. */
const GROUPS = {
  'For your server': [...FRAMEWORKS, 'nestjs', ...WITHOUT_PEER.toReversed(), 'core', 'schemes'],
  Stores: [...STORES, 'inbox', 'quarantine'],
  'Observe and diagnose': ['opentelemetry', 'diagnose'],
  'Develop and test': ['cli', 'client', 'emulator', 'conformance', 'contract'],
}

/** The published packages by group: each with its name, description, peers and dependencies of this repository. */
export function publishedPackages() {
  const packages = new Map(
    readdirSync(join(ROOT, 'packages'))
      .map((folder) => [folder, readManifest(folder)])
      .filter(([, manifest]) => !manifest.private),
  )
  const known = Object.values(GROUPS).flat()
  const unknown = [...packages.keys()].filter((name) => !known.includes(name))
  if (unknown.length > 0) {
    throw new Error(
      `Name the group of ${unknown.join(', ')} in packages/site/reference/packages.mjs.`,
    )
  }
  return Object.entries(GROUPS)
    .map(([title, names]) => ({
      title,
      packages: names
        .filter((name) => packages.has(name))
        .map((name) => ({ folder: name, ...packages.get(name) })),
    }))
    .filter(({ packages }) => packages.length > 0)
}

function sentence(text) {
  return `${text[0].toUpperCase()}${text.slice(1)}.`
}

/** What the heading of the group says. */
const REPEATED = /^(?:Receive signed webhook deliveries on|Handle each webhook delivery once,) /

/** Their READMEs by group. */
export function packagesByGroup() {
  return Object.fromEntries(
    publishedPackages().map(({ title, packages }) => [
      title,
      packages.map(({ folder }) => `packages/${folder}/README.md`),
    ]),
  )
}

export function packageTables() {
  const sections = publishedPackages().map(({ title, packages }) => {
    const rows = packages.map(({ folder, name, description }) => [
      `[\`${name}\`](../../packages/${folder})`,
      sentence(description.replace(REPEATED, '')),
    ])
    return `## ${title}\n\n${table(['package', 'what it does'], rows)}`
  })
  return sections.join('\n\n')
}

function readManifest(folder) {
  return JSON.parse(readFileSync(join(ROOT, 'packages', folder, 'package.json'), 'utf8'))
}
