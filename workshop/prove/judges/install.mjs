import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { installSdks } from './install-sdks.mjs'
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
  const require = createRequire(join(folder, 'package.json'))
  const manifest = join(folder, 'node_modules', sdk.package, 'package.json')
  const { version } = JSON.parse(readFileSync(manifest, 'utf8'))
  // A file that the package does not export is loaded by its path.
  const path = sdk.entry?.endsWith('.js')
    ? join(folder, 'node_modules', sdk.package, sdk.entry)
    : require.resolve([sdk.package, sdk.entry].filter(Boolean).join('/'))
  const module = await import(pathToFileURL(path))
  const names = typeof module.default === 'function' ? {} : module.default
  return { version, ...madeBy(sdk, { ...names, ...module }) }
}
