import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { packAll } from '@webhook-receiver/checks/pack.mjs'
import { install, versionOf } from '@webhook-receiver/checks/packed/install.mjs'
import { serveRegistry } from '@webhook-receiver/checks/packed/registry.mjs'
import { pairwise } from '@webhook-receiver/checks/step.mjs'
import { CONTENDERS, isOurs } from './contenders.mjs'

/**
 * Installs every contender in a separate folder: ours from what would be published, and without its peer,
 * which is the framework that the application has; the others as npm does it.
 *
 * @returns {Promise<{ name: string, folder: string, version: string, packages: number, size: number }[]>}
 */
export async function installAll(folder) {
  const registry = await serveRegistry(await packAll(join(folder, 'packed')))
  try {
    return await pairwise(CONTENDERS, async ({ name }) => {
      const where = join(folder, name.replaceAll('/', '-'))
      const version = isOurs(name) ? '*' : await versionHere(name)
      const flags = isOurs(name) ? ['--omit=peer'] : []
      await install(where, { [name]: version }, { registry, flags })
      return {
        name,
        folder: where,
        version: await versionOf(where, name),
        ...(await contentsOf(where)),
      }
    })
  } finally {
    registry.close()
  }
}

/** The version that the other sections measure. */
async function versionHere(name) {
  const manifest = JSON.parse(await readFile(new URL('../package.json', import.meta.url), 'utf8'))
  return manifest.dependencies[name]
}

async function contentsOf(folder) {
  const modules = join(folder, 'node_modules')
  const { packages } = JSON.parse(await readFile(join(modules, '.package-lock.json'), 'utf8'))
  const entries = await readdir(modules, { recursive: true, withFileTypes: true })
  const sizes = entries
    .filter((entry) => entry.isFile() && entry.name !== '.package-lock.json')
    .map(async (entry) => (await stat(join(entry.parentPath ?? entry.path, entry.name))).size)
  const size = (await Promise.all(sizes)).reduce((sum, each) => sum + each, 0)
  return { packages: Object.keys(packages).length, size }
}
