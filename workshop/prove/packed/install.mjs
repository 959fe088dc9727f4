import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { run } from '../step.mjs'

const ROOT = new URL('../../../package.json', import.meta.url)

const QUIET = ['--no-audit', '--no-fund', '--ignore-scripts']

const MANAGERS = {
  npm: async () => ['npm', 'install', ...QUIET],
  // Its own layout: a package sees what it depends on, and nothing else.
  pnpm: async () => ['npx', '-y', await pnpm(), 'install', '--ignore-scripts'],
}

/**
 * Installs packages by version where nothing of this repository is in reach.
 *
 * @param {object} [options]
 * @param {{ writeSettings(folder: string): Promise<void> }} [options.registry] for our own packages.
 * @param {'npm' | 'pnpm'} [options.manager]
 * @param {readonly string[]} [options.flags]
 */
export async function install(folder, dependencies, options = {}) {
  const { registry, manager = 'npm', flags = [] } = options
  await mkdir(folder, { recursive: true })
  const manifest = { private: true, dependencies }
  await writeFile(join(folder, 'package.json'), JSON.stringify(manifest, null, 2))
  await registry?.writeSettings(folder)
  const [command, ...args] = await MANAGERS[manager]()
  const once = () => run(command, [...args, ...flags], { cwd: folder })
  // A registry that does not respond for a moment says nothing about our packages.
  await once().catch(once)
}

/** Our own packages, for `dependencies`. */
export function ours(names, version = '*') {
  return Object.fromEntries(names.map((name) => [`@webhook-receiver/${name}`, version]))
}

/** The version of a package that is installed in a folder. */
export async function versionOf(folder, name) {
  const file = join(folder, 'node_modules', name, 'package.json')
  return JSON.parse(await readFile(file, 'utf8')).version
}

/** pnpm as this repository pins it. */
async function pnpm() {
  return JSON.parse(await readFile(ROOT, 'utf8')).packageManager
}
