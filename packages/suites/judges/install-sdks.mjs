import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Installs the SDKs of a folder, outside of the workspace, so that nobody gets them who does not ask for them. */
export function installSdks(folder, { latest = false } = {}) {
  const read = (path) => JSON.parse(readFileSync(path, 'utf8'))
  const { packageManager } = read(fileURLToPath(new URL('../../../package.json', import.meta.url)))
  const into = latest ? mkdtempSync(join(tmpdir(), 'judges-')) : folder
  if (latest) {
    const { dependencies } = read(join(folder, 'package.json'))
    const newest = Object.keys(dependencies).map((name) => [name, 'latest'])
    const manifest = { private: true, dependencies: Object.fromEntries(newest) }
    writeFileSync(join(into, 'package.json'), JSON.stringify(manifest))
  }
  const lock = latest ? '--no-frozen-lockfile' : '--frozen-lockfile'
  const options = ['--ignore-workspace', '--ignore-scripts', '--reporter=silent', lock]
  const args = ['-y', packageManager, '--dir', into, 'install', ...options]
  const { status } = spawnSync('npx', args, { stdio: 'inherit' })
  if (status !== 0) throw new Error('The SDKs could not be installed.')
  return into
}
