import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { run, step } from '@webhook-receiver/tools/step.mjs'
import { commitAll } from './checkout.mjs'

const FIELDS = ['dependencies', 'peerDependencies', 'optionalDependencies', 'devDependencies']

/**
 * Releases what is in a checkout, with the commands of the release workflow. Gives the public packages as they are in
 * the registry then, and what was wrong.
 */
export async function release(checkout, registry) {
  const commands = await workflowCommands(checkout)
  const before = await packagesOf(checkout)
  const changesets = await readChangesets(checkout)
  const shell = (command) => run('sh', ['-c', command], { cwd: checkout, env: registry.env })

  await step(commands.version, () => shell(commands.version))
  await commitAll(checkout, 'Version packages')
  // The workflow begins again when the pull request with the versions is merged.
  await step('install again', () => shell('pnpm install --frozen-lockfile'))
  await step(commands.publish, () => shell(commands.publish))
  const packages = await packagesOf(checkout)
  const published = await lookAll(registry, packages)
  await step(`${commands.publish}, again`, () => shell(commands.publish))
  const publishedTwice = await lookAll(registry, packages)

  const problems = changesets.length === 0 ? ['There is no changeset: nothing to release.'] : []
  if (JSON.stringify(published) !== JSON.stringify(publishedTwice)) {
    problems.push('The second run of the release changed something in the registry.')
  }
  if (/127\.0\.0\.1/.test(await readFile(join(checkout, 'pnpm-lock.yaml'), 'utf8'))) {
    problems.push('pnpm-lock.yaml names the local registry.')
  }
  for (const { folder, name, version, private: isPrivate } of packages) {
    const found = published[name]
    if (isPrivate) {
      if (found) problems.push(`${name} is private and was published.`)
      continue
    }
    const old = before.find((one) => one.name === name)?.version
    if (version === old) problems.push(`${name} still has version ${old}.`)
    const versions = Object.keys(found?.versions ?? {})
    if (String(versions) !== version) {
      problems.push(`${name} should be published as ${version} alone; got ${versions.join(', ')}.`)
      continue
    }
    problems.push(...rangeProblems(found.versions[version], packages))
    const changelog = await readFile(join(checkout, folder, 'CHANGELOG.md'), 'utf8').catch(() => '')
    if (!changelog.includes(`\n## ${version}\n`)) {
      problems.push(`${folder}/CHANGELOG.md has no heading ${version}.`)
    }
    for (const { file, lines } of changesets.filter(({ names }) => names.includes(name))) {
      const missing = lines.find((line) => !changelog.includes(line))
      if (missing) problems.push(`${folder}/CHANGELOG.md lacks "${missing}" of ${file}.`)
    }
  }
  problems.push(...(await exampleProblems(checkout, packages)))
  return { packages: packages.filter((found) => !found.private), problems }
}

/** What the workflow gives to changesets/action. */
async function workflowCommands(checkout) {
  const workflow = await readFile(join(checkout, '.github/workflows/release.yml'), 'utf8')
  const [version, publish] = ['version', 'publish'].map(
    (input) => new RegExp(`^ +${input}: (.+)$`, 'm').exec(workflow)?.[1],
  )
  if (!version || !publish) throw new Error('release.yml has no commands for changesets/action.')
  return { version, publish }
}

async function packagesOf(checkout) {
  const names = await readdir(join(checkout, 'packages'))
  return Promise.all(
    names.map(async (name) => {
      const folder = `packages/${name}`
      const manifest = JSON.parse(await readFile(join(checkout, folder, 'package.json'), 'utf8'))
      return { ...manifest, folder }
    }),
  )
}

async function readChangesets(checkout) {
  const folder = join(checkout, '.changeset')
  const files = (await readdir(folder)).filter((file) => /\.md$/.test(file) && file !== 'README.md')
  return Promise.all(
    files.map(async (file) => {
      const [, head, body] = /^---\n(.*?)\n---\n(.*)$/s.exec(
        await readFile(join(folder, file), 'utf8'),
      )
      return {
        file,
        names: [...head.matchAll(/^["']?(.+?)["']?: /gm)].map(([, name]) => name),
        lines: body.split('\n').map((line) => line.trim()),
      }
    }),
  )
}

async function lookAll(registry, packages) {
  const found = packages.map(async ({ name }) => [name, await registry.look(name)])
  return Object.fromEntries(await Promise.all(found))
}

/** Ranges that npm cannot read, and ranges of our own packages that leave out what was just published. */
function rangeProblems(manifest, packages) {
  const ranges = FIELDS.flatMap((field) => Object.entries(manifest[field] ?? {}))
  return ranges
    .filter(([name, range]) => {
      const own = packages.find((found) => found.name === name)
      if (own && !own.private) return range !== `^${own.version}`
      return /^(workspace|catalog|link|file):/.test(range)
    })
    .map(([name, range]) => `${manifest.name} depends on ${name} as "${range}".`)
}

/** The examples are copied by others, so they should name what was just published. */
async function exampleProblems(checkout, packages) {
  const files = await run('git', ['ls-files', 'examples/*.json'], { cwd: checkout })
  const problems = []
  for (const file of files.split('\n').filter(Boolean)) {
    const text = await readFile(join(checkout, file), 'utf8')
    for (const { name, version } of packages) {
      const ranges = text.matchAll(new RegExp(`"${name}": "(?:npm:${name}@)?(.*?)"`, 'g'))
      for (const [, range] of ranges) {
        if (range !== `^${version}`) problems.push(`${file} has ${name} as "${range}".`)
      }
    }
  }
  return problems
}
