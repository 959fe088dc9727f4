import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { run } from './step.mjs'

const ROOT = new URL('../../', import.meta.url)

/** The manifests of the packages that are published. A folder without one has only what git ignores. */
export async function publicPackages() {
  const names = (await readdir(new URL('packages/', ROOT))).filter((name) =>
    existsSync(new URL(`packages/${name}/package.json`, ROOT)),
  )
  const manifests = await Promise.all(
    names.map(async (name) => ({ folder: name, ...(await manifest(`packages/${name}/`)) })),
  )
  return manifests.filter((found) => found.private !== true)
}

/**
 * Packs every public package as it would be published and gives their tarballs by package name.
 * pnpm packs, because only pnpm resolves `workspace:` and `catalog:`.
 */
export async function packAll(into) {
  await mkdir(into, { recursive: true })
  const packages = await publicPackages()
  const { packageManager } = await manifest('')
  const filters = packages.flatMap(({ name }) => ['--filter', name])
  await run('npx', ['-y', packageManager, '-r', ...filters, 'pack', '--pack-destination', into], {
    cwd: ROOT,
  })
  return Object.fromEntries(
    packages.map(({ name, version }) => [
      name,
      join(into, `${name.replace('@', '').replace('/', '-')}-${version}.tgz`),
    ]),
  )
}

/** Gives `work` a folder, by default outside the workspace, which is gone afterwards unless KEEP is set. */
export async function inTemporaryFolder(work, prefix = join(tmpdir(), 'webhook-receiver-')) {
  const folder = await mkdtemp(prefix)
  try {
    return await work(folder)
  } finally {
    if (process.env.KEEP) console.log(`kept: ${folder}`)
    else await rm(folder, { recursive: true, force: true })
  }
}

/** Copies what git tracks in this checkout, with the changes that are not committed. */
export async function copyCheckout(into) {
  await mkdir(into)
  const archive =
    'git archive "$(git -c user.name=copy -c user.email=copy@localhost stash create | grep . || echo HEAD)" | tar -x -C "$0"'
  await run('sh', ['-ec', archive, into], { cwd: ROOT })
}

async function manifest(folder) {
  return JSON.parse(await readFile(new URL(`${folder}package.json`, ROOT), 'utf8'))
}
