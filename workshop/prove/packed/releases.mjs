// Two releases of our packages in one application: the receiver is of one, and the scheme, the stores and the rest of the other.
import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { STORES } from '../lists.mjs'
import { pairwise, run } from '../step.mjs'
import { ours } from './install.mjs'
import { APPLICATIONS } from './peers.mjs'
import { serveRegistry } from './registry.mjs'

const CORE = '@webhook-receiver/core'

/** What an application gives to a receiver. */
const MAKERS = ['schemes', 'diagnose', 'quarantine', 'inbox']

/** An internal name, which a release may change at any time. */
const PRIVATE = /\ballMaybeAsync\b/g

/** Reasons that only the next release has. One of them has a status that this release does not know. */
const REASONS = `
  newer_forged: { status: 401, fault: 'either', explain: () => '' },
  newer_outage: { status: 503, fault: 'receiver', handling: true, explain: () => '' },
  newer_status: { status: 451, fault: 'sender', explain: () => '' },`

/** Both ways, for a next release in which no interface has changed, and for one in which all have. */
export async function tryReleases({ tarballs, path, once, installed }) {
  const { next, changed } = await once('releases', () => makeReleases(tarballs, path('releases')))
  const { now, later } = next
  const rows = [
    { name: 'newer scheme', registry: next, receiver: now, others: later },
    { name: 'older scheme', registry: next, receiver: later, others: now },
    { name: 'other scheme', registry: changed, receiver: now, others: later, isChanged: true },
    { name: 'former scheme', registry: changed, receiver: later, others: now, isChanged: true },
  ]
  try {
    const results = await pairwise(rows, (row) => tryBoth(row, installed))
    return { saw: `${rows.length} installations`, problems: results.flat() }
  } finally {
    next.close()
    changed.close()
  }
}

/** As ES modules and as CommonJS. */
async function tryBoth({ name, registry, receiver, others, isChanged = false }, installed) {
  const names = [...MAKERS, ...STORES]
  const folder = await installed(
    `releases-${name.replace(' ', '-')}`,
    {
      ...ours(['core', 'node'], receiver),
      ...ours(names, others),
      'other-core': `npm:${CORE}@${others}`,
    },
    {
      registry,
      manager: 'npm',
      prepare: (where) => cp(join(APPLICATIONS, 'two-releases.mjs'), join(where, 'run.mjs')),
    },
  )
  const problems = []
  for (const format of ['esm', 'cjs']) {
    const args = ['run.mjs', format, ...(isChanged ? ['changed'] : [])]
    const output = await run(process.execPath, args, { cwd: folder }).catch(String)
    const found = isChanged
      ? wrongErrors(output, receiver, others)
      : output.split('\n').filter((line) => line !== '' && !line.startsWith('ok '))
    problems.push(...found.map((problem) => `${name}, ${format}: ${problem}`))
    if (!/^ok {2}done$/m.test(output)) problems.push(`${name}, ${format}: it ended early.`)
  }
  return problems
}

/** The lines that do not name both packages, and the command to run. */
function wrongErrors(output, receiver, others) {
  const names = [CORE, ...[...MAKERS, ...STORES].map((name) => `@webhook-receiver/${name}`)]
  const lines = output.split('\n').filter((line) => line !== '' && line !== 'ok  done')
  const missing = names.filter((name) => !lines.some((line) => line.includes(` ${name} `)))
  return [
    ...missing.map((name) => `Nothing is said of ${name}.`),
    ...lines.filter((line) => {
      const [, name] = /^TypeError: .* is from (\S+) /.exec(line) ?? []
      return !(
        line.includes(`is from ${name} ${others}, which does not fit ${CORE} ${receiver}. `) &&
        line.includes(`npm install ${name}@${receiver}`)
      )
    }),
  ]
}

/** Registries that hold the packed release, and one that could follow it. */
async function makeReleases(tarballs, folder) {
  const [version] = Object.values(await versionsOf(tarballs))
  const later = `${Number.parseInt(version, 10) + 1}.0.0`
  const make = async (kind, edit) => {
    const into = join(folder, kind)
    const made = await Promise.all(
      Object.entries(tarballs).map(async ([name, file]) => [
        name,
        [file, await edited({ name, file, into, version, later }, edit)],
      ]),
    )
    return { ...(await serveRegistry(Object.fromEntries(made))), now: version, later }
  }
  const next = (text) =>
    text
      .replaceAll(PRIVATE, 'everyMaybeAsync')
      .replace('const CODES = {', `const CODES = {\n  451: 'newer_code',`)
      .replace('const REASONS = {', `const REASONS = {${REASONS}`)
  return {
    next: await make('next', next),
    changed: await make('changed', (text) =>
      text.replace(/const INTERFACES = \{[^}]*\}/, (table) =>
        table.replaceAll(/\d+/g, (number) => Number(number) + 1),
      ),
    ),
  }
}

async function versionsOf(tarballs) {
  const entries = Object.entries(tarballs).map(async ([name, file]) => [
    name,
    JSON.parse(await run('tar', ['-xOf', file, 'package/package.json'])).version,
  ])
  return Object.fromEntries(await Promise.all(entries))
}

/** The tarball of a package in the later version, which needs exactly that version of the others. */
async function edited({ name, file, into, version, later }, edit) {
  const folder = join(into, name.replace('/', '-'))
  await mkdir(folder, { recursive: true })
  await run('tar', ['-xf', file, '-C', folder])
  const where = join(folder, 'package')
  await rewrite(join(where, 'package.json'), (text) => {
    const manifest = JSON.parse(text)
    const own = Object.keys(manifest.dependencies ?? {}).filter((each) =>
      each.startsWith('@webhook-receiver/'),
    )
    for (const each of own) {
      if (manifest.dependencies[each] !== version) {
        throw new Error(`${name} needs ${each} ${manifest.dependencies[each]}, not ${version}.`)
      }
      manifest.dependencies[each] = later
    }
    return JSON.stringify({ ...manifest, version: later })
  })
  for (const each of await readdir(join(where, 'dist')).catch(() => [])) {
    if (!/\.c?js$/.test(each)) continue
    await rewrite(join(where, 'dist', each), (text) =>
      edit(text.replace(`VERSION = "${version}"`, `VERSION = "${later}"`)),
    )
  }
  const tarball = join(into, basename(file).replace(version, later))
  await run('tar', ['-czf', tarball, '-C', folder, 'package'])
  return tarball
}

async function rewrite(file, change) {
  await writeFile(file, change(await readFile(file, 'utf8')))
}
