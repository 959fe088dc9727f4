import { cp, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { publicPackages } from '@webhook-receiver/tools/pack.mjs'
import { run } from '@webhook-receiver/tools/step.mjs'

const CONSUMER = fileURLToPath(new URL('../consumer/', import.meta.url))

/** What the consumers need besides the packages and their peers. Hono's server goes with Hono's age. */
const TOOLS = { '@types/node': '20', '@types/pg': '8', 'koa-bodyparser': '4' }
const HONO_SERVER = { lowest: '1.12.0', newest: '2' }

/** The two ends of what the packages say they work with. */
export const ENDS = ['lowest', 'newest']

/** The packages that sit on a server, with the framework each is for. */
export const FRAMEWORKS = ['node', 'express', 'koa', 'fastify', 'hono']

/** The packages whose types are tested beside them, and the suite that every adapter runs. */
const OTHERS = ['core', 'diagnose', 'client', 'emulator', 'redis', 'postgres', 'conformance']

/** Installs all adapters from their tarballs, with their peers at one end of the declared ranges. */
export async function installConsumer(folder, tarballs, end, extra = {}) {
  const adapters = FRAMEWORKS.map((name) => `@webhook-receiver/${name}`)
  const packages = (await publicPackages()).filter(({ name }) => adapters.includes(name))
  const peers = Object.assign({}, ...packages.map(({ peerDependencies }) => peerDependencies))
  const versions = Object.entries(peers).map(([name, range]) => [name, VERSION[end](range)])
  const others = OTHERS.map((name) => `@webhook-receiver/${name}`)
  await install(folder, pick(tarballs, [...others, ...adapters]), {
    ...Object.fromEntries(versions),
    '@hono/node-server': HONO_SERVER[end],
    ...TOOLS,
    ...extra,
  })
  await cp(CONSUMER, folder, { recursive: true })
  for (const copy of ['typed.mts', 'typed.cts'])
    await cp(join(CONSUMER, 'typed.ts'), join(folder, copy))
}

/** Installs tarballs, and other packages by version, with npm: nothing of this repository is in reach. */
export async function install(folder, tarballs, others = {}, flags = []) {
  await mkdir(folder, { recursive: true })
  const files = Object.entries(tarballs).map(([name, file]) => [name, `file:${file}`])
  const manifest = {
    private: true,
    dependencies: { ...Object.fromEntries(files), ...others },
    // The packages depend on one another by version: those are these tarballs too.
    overrides: Object.fromEntries(files.map(([name]) => [name, `$${name}`])),
  }
  await writeFile(join(folder, 'package.json'), JSON.stringify(manifest, null, 2))
  const quiet = ['--no-audit', '--no-fund', '--ignore-scripts']
  await run('npm', ['install', ...quiet, ...flags], { cwd: folder })
}

/** One version out of a range such as `^4.18.0 || ^5`. */
const VERSION = {
  lowest: (range) => [.../[\d.]+/.exec(range)[0].split('.'), '0', '0'].slice(0, 3).join('.'),
  newest: (range) => range.split('||').at(-1).trim(),
}

function pick(from, names) {
  return Object.fromEntries(names.map((name) => [name, from[name]]))
}
/** The version of a package that npm has put into a folder. */
export async function versionOf(folder, name) {
  const file = join(folder, 'node_modules', name, 'package.json')
  return JSON.parse(await readFile(file, 'utf8')).version
}
