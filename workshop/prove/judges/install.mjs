import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { SDKS } from './sdks.mjs'

const FOLDER = fileURLToPath(new URL('sdks', import.meta.url))

/** Of these, a newer version is not asked. */
const KEPT = Object.values(SDKS)
  .flatMap((sdk) => (sdk.isLast ? sdk.package : []))
  .concat('typescript')

/**
 * Installs the SDKs by their lockfile, or the newest ones elsewhere for as long as this process runs, and returns their folder. It is outside
 * of the workspace, so that nobody installs them who does not ask for them.
 */
export function installSdks(isNewest = false) {
  const { packageManager } = read(fileURLToPath(new URL('../../../package.json', import.meta.url)))
  const folder = isNewest ? mkdtempSync(join(tmpdir(), 'judges-')) : FOLDER
  if (isNewest) {
    process.once('exit', () => rmSync(folder, { recursive: true }))
    const { dependencies } = read(join(FOLDER, 'package.json'))
    for (const name in dependencies) if (!KEPT.includes(name)) dependencies[name] = 'latest'
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ dependencies }))
  }
  const lock = isNewest ? '--no-frozen-lockfile' : '--frozen-lockfile'
  const options = ['--ignore-workspace', '--ignore-scripts', '--loglevel=error', lock]
  const args = ['-y', packageManager, '--dir', folder, 'install', ...options]
  const { status } = spawnSync('npx', args, { stdio: 'inherit' })
  if (status === 0) return folder
  throw new Error(
    `The SDKs could not be installed. If you changed ${FOLDER}/package.json, write its lockfile: npx -y ${packageManager} --dir ${FOLDER} install --ignore-workspace --lockfile-only`,
  )
}

/** What one of them signs and verifies, and its version. */
export async function loadSdk(
  folder,
  { package: name, entry, sign, verify, behind = () => false },
) {
  const { version, module } = await loadModule(folder, name, entry)
  return {
    version,
    sign: sign && ((one) => sign(module, one)),
    async verify(one) {
      try {
        return (await verify(module, one)) !== false
      } catch (error) {
        return behind(error)
      }
    },
  }
}

/** What a package exports, or one of its files, and its version. */
export async function loadModule(folder, name, entry) {
  const home = join(folder, 'node_modules', name)
  // A file that the package does not export is loaded by its path.
  const path = entry?.endsWith('.js')
    ? join(home, entry)
    : createRequire(join(folder, 'package.json')).resolve(join(name, entry ?? ''))
  const module = await import(pathToFileURL(path))
  const names = typeof module.default === 'function' ? {} : module.default
  return { version: read(join(home, 'package.json')).version, module: { ...names, ...module } }
}

function read(path) {
  return JSON.parse(readFileSync(path, 'utf8'))
}
