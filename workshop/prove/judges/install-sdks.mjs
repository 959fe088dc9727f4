import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const read = (path) => JSON.parse(readFileSync(path, 'utf8'))

/**
 * Installs the SDKs of a folder there, by its lockfile, or `newest` of them elsewhere, and returns where they are. Outside of the workspace,
 * so that nobody installs them who does not ask for them. `newest` is given what the folder names, and returns names and versions.
 */
export function installSdks(folder, newest) {
  const { packageManager } = read(fileURLToPath(new URL('../../../package.json', import.meta.url)))
  const into = newest ? mkdtempSync(join(tmpdir(), 'judges-')) : folder
  if (newest) {
    const { dependencies } = read(join(folder, 'package.json'))
    const manifest = { private: true, dependencies: newest(dependencies) }
    writeFileSync(join(into, 'package.json'), JSON.stringify(manifest))
  }
  const lock = newest ? '--no-frozen-lockfile' : '--frozen-lockfile'
  const options = ['--ignore-workspace', '--ignore-scripts', '--loglevel=error', lock]
  const args = ['-y', packageManager, '--dir', into, 'install', ...options]
  const { status } = spawnSync('npx', args, { stdio: 'inherit' })
  if (status !== 0) {
    throw new Error(
      `The SDKs of ${folder} could not be installed. If you changed its package.json, write its lockfile: npx -y ${packageManager} --dir ${folder} install --ignore-workspace --lockfile-only`,
    )
  }
  return into
}
