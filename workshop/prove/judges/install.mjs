import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { madeBy, SDKS } from './sdks.mjs'

const SDKS_FOLDER = fileURLToPath(new URL('sdks', import.meta.url))

/** Installs the SDKs of the schemes, those that were chosen, and returns their folder. */
export function installJudges({ latest = false, isChosen = () => true } = {}) {
  const newest = (dependencies) => ({
    ...Object.fromEntries(
      Object.entries(SDKS)
        .filter(([name, sdk]) => isChosen({ name }) && sdk.package)
        .map(([, sdk]) => [sdk.package, sdk.isLast ? dependencies[sdk.package] : 'latest']),
    ),
    typescript: dependencies.typescript,
  })
  return installSdks(SDKS_FOLDER, latest ? newest : undefined)
}

/** What one of them signs and verifies, and its version. */
export async function loadSdk(folder, sdk) {
  const { version, module } = await loadModule(folder, sdk.package, sdk.entry)
  return { version, ...madeBy(sdk, module) }
}

/** What a package exports, or one of its files, and its version. */
export async function loadModule(folder, name, entry) {
  const require = createRequire(join(folder, 'package.json'))
  const home = join(folder, 'node_modules', name)
  const { version } = read(join(home, 'package.json'))
  // A file that the package does not export is loaded by its path.
  const path = entry?.endsWith('.js')
    ? join(home, entry)
    : require.resolve([name, entry].filter(Boolean).join('/'))
  const module = await import(pathToFileURL(path))
  const names = typeof module.default === 'function' ? {} : module.default
  return { version, module: { ...names, ...module } }
}

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
