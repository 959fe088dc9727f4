// Publishes the tarballs of a folder, dependencies first: `node publish.mjs FOLDER [OPTIONS OF npm publish]`.
// Imports nothing but Node: the release workflow may publish here, so it installs nothing.
import { execFileSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { resolve } from 'node:path'

const [folder, ...options] = process.argv.slice(2)
const registry = execFileSync('npm', ['config', 'get', 'registry'], { encoding: 'utf8' }).trim()

for (const { name, version, file } of dependenciesFirst(readdirSync(folder).map(readTarball))) {
  if (await isPublished(name, version)) {
    console.log(`${name}@${version} is already published`)
  } else {
    execFileSync('npm', ['publish', file, '--access', 'public', ...options], { stdio: 'inherit' })
  }
}

function readTarball(name) {
  const file = resolve(folder, name)
  const manifest = execFileSync('tar', ['-xzOf', file, 'package/package.json'])
  return { ...JSON.parse(manifest), file }
}

/** So that a version that can be installed finds all that it depends on, should this stop halfway. */
function dependenciesFirst(packages) {
  const waiting = new Map(packages.map((found) => [found.name, found]))
  const visit = (name) => {
    const found = waiting.get(name)
    waiting.delete(name)
    if (!found) return []
    const { dependencies, peerDependencies } = found
    return [...Object.keys({ ...dependencies, ...peerDependencies }).flatMap(visit), found]
  }
  return packages.flatMap(({ name }) => visit(name))
}

async function isPublished(name, version) {
  // The registry closes an idle connection while `npm publish` blocks this process, which then sees it too late.
  const headers = { connection: 'close' }
  const response = await fetch(new URL(name.replace('/', '%2f'), registry), { headers })
  if (response.status === 404) return false
  if (!response.ok) throw new Error(`${registry} responds ${response.status} for ${name}`)
  return version in (await response.json()).versions
}
