import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { SDKS } from './sdks.mjs'

const SDKS_FOLDER = fileURLToPath(new URL('sdks', import.meta.url))

/** Installs the SDKs and returns their folder. Outside of the workspace, so that nobody installs them who does not ask for them. */
export function installSdks({ latest = false, isChosen = () => true } = {}) {
  const read = (path) => JSON.parse(readFileSync(path, 'utf8'))
  const { packageManager } = read(fileURLToPath(new URL('../../../package.json', import.meta.url)))
  const into = latest ? mkdtempSync(join(tmpdir(), 'judges-')) : SDKS_FOLDER
  if (latest) {
    const { dependencies } = read(join(SDKS_FOLDER, 'package.json'))
    const { typescript } = dependencies
    const newest = Object.entries(SDKS)
      .filter(([name, sdk]) => isChosen({ name }) && !sdk.source)
      .map(([, sdk]) => [sdk.package, sdk.isLast ? dependencies[sdk.package] : 'latest'])
    const manifest = {
      private: true,
      dependencies: { ...Object.fromEntries(newest), typescript },
    }
    writeFileSync(join(into, 'package.json'), JSON.stringify(manifest))
  }
  const lock = latest ? '--no-frozen-lockfile' : '--frozen-lockfile'
  const options = ['--ignore-workspace', '--ignore-scripts', '--reporter=silent', lock]
  const args = ['-y', packageManager, '--dir', into, 'install', ...options]
  const { status } = spawnSync('npx', args, { stdio: 'inherit' })
  if (status !== 0) throw new Error('The SDKs could not be installed.')
  return into
}

/** What one of them signs and verifies, and its version. */
export async function loadSdk(folder, sdk) {
  const require = createRequire(join(folder, 'package.json'))
  const manifest = join(folder, 'node_modules', sdk.package, 'package.json')
  const { version } = JSON.parse(readFileSync(manifest, 'utf8'))
  // A file that the package does not export is loaded by its path.
  const path = sdk.entry?.endsWith('.js')
    ? join(folder, 'node_modules', sdk.package, sdk.entry)
    : require.resolve([sdk.package, sdk.entry].filter(Boolean).join('/'))
  const module = await import(pathToFileURL(path))
  const names = typeof module.default === 'function' ? {} : module.default
  return { version, ...sdk.make({ ...names, ...module }) }
}
