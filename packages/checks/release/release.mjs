import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { run, step } from '../step.mjs'
import { commitAll } from './checkout.mjs'

const FIELDS = ['dependencies', 'peerDependencies', 'optionalDependencies', 'devDependencies']

/** What the release workflow runs too. */
const BUMP = 'npm run bump'
const PACK = 'npm run prove -- tarballs'
const PUBLISH = 'node packages/checks/release/publish.mjs'

/**
 * Releases what is in a checkout, with the commands of the release workflow. Gives the public packages as they are
 * then, and what was wrong.
 */
export async function release(checkout, registry, install) {
  const workflow = await readFile(join(checkout, '.github/workflows/release.yml'), 'utf8')
  const before = await packagesOf(checkout)
  const changesets = await readChangesets(checkout, before)
  const tarballs = `${checkout}-tarballs`
  const shell = (...command) =>
    run('sh', ['-c', command.join(' ')], { cwd: checkout, env: registry.env })

  await step(BUMP, () => shell(BUMP))
  await commitAll(checkout, 'Version packages')
  // The workflow begins again when the pull request with the versions is merged.
  await step('install again', install)
  await step(PACK, () => shell(PACK, tarballs))
  await step(PUBLISH, () => shell(PUBLISH, tarballs))
  const packages = await packagesOf(checkout)
  const published = await lookAll(registry, packages)
  await step(`${PUBLISH}, again`, () => shell(PUBLISH, tarballs))
  const publishedTwice = await lookAll(registry, packages)

  const problems = [BUMP, PACK, PUBLISH]
    .filter((command) => !workflow.includes(command))
    .map((command) => `release.yml does not run "${command}".`)
  if (JSON.stringify(published) !== JSON.stringify(publishedTwice)) {
    problems.push('The second run of the release changed something in the registry.')
  }
  for (const found of packages) {
    const versions = Object.values(published[found.name]?.versions ?? {})
    if (found.private) {
      if (versions.length > 0) problems.push(`${found.name} is private and was published.`)
      continue
    }
    const old = before.find(({ name }) => name === found.name)
    if (found.version === old.version) problems.push(`${found.name} is still ${old.version}.`)
    const names = versions.map(({ version }) => version)
    if (String(names) !== found.version) {
      problems.push(`${found.name} should be published as ${found.version} alone; got [${names}].`)
    }
    problems.push(...versions.flatMap((manifest) => rangeProblems(manifest, packages)))
    problems.push(...(await changelogProblems(checkout, found, changesets)))
    problems.push(...(await exampleProblems(checkout, old)))
  }
  return { packages: packages.filter((found) => !found.private), problems }
}

/** Where there is none, since a release has just used them up, it writes one. */
async function readChangesets(checkout, packages) {
  const folder = join(checkout, '.changeset')
  const files = (await readdir(folder)).filter((file) => /\.md$/.test(file) && file !== 'README.md')
  if (files.length === 0) {
    const bumps = packages.filter((found) => !found.private).map(({ name }) => `"${name}": patch\n`)
    await writeFile(join(folder, 'rehearsal.md'), `---\n${bumps.join('')}---\n\nA rehearsal.\n`)
    files.push('rehearsal.md')
  }
  return Promise.all(
    files.map(async (file) => {
      const text = await readFile(join(folder, file), 'utf8')
      const [, head, body] = /^---\n(.*?)\n---\n(.*)$/s.exec(text)
      const names = [...head.matchAll(/^["']?(.+?)["']?: /gm)].map(([, name]) => name)
      return { file, names, lines: body.split('\n').map((line) => line.trim()) }
    }),
  )
}

async function packagesOf(checkout) {
  const names = await readdir(join(checkout, 'packages'))
  return Promise.all(
    names.map(async (name) => {
      const manifest = await readFile(join(checkout, 'packages', name, 'package.json'), 'utf8')
      return { ...JSON.parse(manifest), folder: `packages/${name}` }
    }),
  )
}

async function lookAll(registry, packages) {
  const found = packages.map(async ({ name }) => [name, await registry.look(name)])
  return Object.fromEntries(await Promise.all(found))
}

/** Ranges that npm cannot read, and ranges of our own packages that are not of this release. */
function rangeProblems(manifest, packages) {
  return FIELDS.flatMap((field) => Object.entries(manifest[field] ?? {}))
    .filter(([name, range]) => {
      const own = packages.find((found) => found.name === name)
      // A peer may come from an earlier release.
      if (own && !own.private) return ![`^${own.version}`, '>=0.1.0'].includes(range)
      return /^(workspace|catalog|link|file):/.test(range)
    })
    .map(([name, range]) => `${manifest.name} depends on ${name} as "${range}".`)
}

async function changelogProblems(checkout, { name, version, folder }, changesets) {
  const changelog = await readFile(join(checkout, folder, 'CHANGELOG.md'), 'utf8').catch(() => '')
  return changesets
    .filter(({ names }) => names.includes(name))
    .flatMap(({ lines }) => [`## ${version}`, ...lines])
    .filter((line) => !changelog.includes(line))
    .map((line) => `${folder}/CHANGELOG.md lacks "${line}".`)
}

/** The examples are copied by others, so they should ask for what was just published. */
async function exampleProblems(checkout, { name, version }) {
  const old = `${name}(": "|@)\\^${version}"`
  const files = await run('git', ['ls-files', 'examples/*.json'], { cwd: checkout })
  const texts = files
    .split('\n')
    .filter(Boolean)
    .map(async (file) => {
      const text = await readFile(join(checkout, file), 'utf8')
      return new RegExp(old).test(text) ? [`${file} still has ${name} ^${version}.`] : []
    })
  return (await Promise.all(texts)).flat()
}
