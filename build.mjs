// Checks the types of all packages, then bundles those that have changed since they were bundled last:
// docs/decisions/0009-packages.md.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, join } from 'node:path'
import { pathToFileURL } from 'node:url'

const ROOT = import.meta.dirname
const PACKAGES = join(ROOT, 'packages')
const SOURCE = '@webhook-receiver/source'

/** What the bundles in a `dist` were made of. It lies in there, so that whoever removes `dist` gets a new one. */
const STAMP = 'dist/.made-of'

/** The private package that is bundled into those that import it, and its page for browsers. */
const INSPECTOR = '@webhook-receiver/inspector'
const PAGE = 'page/vite.config.ts'

/** Without the folders that a checkout leaves behind where a package has moved: they have only what git ignores. */
const packages = readdirSync(PACKAGES)
  .map((name) => join(PACKAGES, name))
  .filter((folder) => existsSync(join(folder, 'package.json')))

const projects = [...packages, join(ROOT, 'workshop/suites')].flatMap((folder) =>
  ['tsconfig.json', 'tsconfig.node.json', 'page/tsconfig.json']
    .map((file) => join(folder, file))
    .filter((file) => existsSync(file)),
)
const { status } = spawnSync(
  process.execPath,
  [join(ROOT, 'node_modules/typescript/bin/tsc'), '-b', ...projects],
  { cwd: ROOT, stdio: 'inherit' },
)
if (status !== 0) process.exit(1)
await Promise.all(packages.map(bundle))

async function bundle(folder) {
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  if (manifest.private || !hasSources(manifest)) return
  const inspector = manifest.devDependencies?.[INSPECTOR] && join(PACKAGES, 'inspector')
  const sources = fingerprint(inspector ? [folder, inspector] : [folder])
  if (sources === stampOf(folder)) return
  for (const options of bundlesOf(manifest)) await run(folder, options)
  if (inspector) await bundlePage(inspector, folder)
  shareTypes(join(folder, 'dist'))
  if (manifest.peerDependencies?.vitest) requireModule(join(folder, 'dist'))
  if (existsSync(join(folder, 'services'))) importServices(folder)
  writeFileSync(join(folder, STAMP), sources)
}

/** The page is served from the `dist` of the package itself, for its tests, and from that of the package that bundles it. */
async function bundlePage(inspector, folder) {
  const { build } = await import(
    pathToFileURL(createRequire(join(inspector, 'package.json')).resolve('vite'))
  )
  await build({ configFile: join(inspector, PAGE) })
  cpSync(join(inspector, 'dist/page'), join(folder, 'dist/page'), { recursive: true })
}

/** Whether there is something to bundle; a package of documents has nothing. */
function hasSources({ bin, exports }) {
  return bin !== undefined || Object.values(exports).some((conditions) => conditions[SOURCE])
}

/** The first one of a package empties `dist`. */
function bundlesOf({ bin, exports, imports = {} }) {
  const both = { format: ['esm', 'cjs'] }
  // A command is never imported. The site and the checks make servers of the templates of one.
  if (bin)
    return [
      {
        format: ['esm'],
        entry: { main: './src/main.ts', add: './src/add/index.ts' },
        outputOptions,
      },
    ]
  const entries = Object.entries(exports).filter(([, conditions]) => conditions[SOURCE])
  const entry = Object.fromEntries(
    entries.map(([path, { [SOURCE]: file }]) => [nameOf(path), file]),
  )
  // What an import of the package's own stands for is not part of another bundle, and shares no file with one: the
  // bundles import it, and it must not import them.
  const backends = Object.values(imports).flatMap(({ [SOURCE]: files }) => Object.values(files))
  return [
    { format: ['esm'], entry, outputOptions },
    {
      format: ['cjs'],
      entry,
      outputOptions,
      dts: { oxc: true, sourcemap: true, tsconfig: false },
      clean: false,
    },
    ...backends.map((file) => ({
      ...both,
      entry: { [basename(file, '.ts')]: file },
      clean: false,
    })),
  ]
}

/**
 * Gives the ES modules the types of the CommonJS files: an application may use both, and TypeScript takes two declarations of one
 * class, or of one property that is added to a framework's request, for different ones.
 */
function shareTypes(dist) {
  for (const file of readdirSync(dist).filter((name) => name.endsWith('.d.cts'))) {
    const name = basename(file, '.d.cts')
    if (name !== 'shared')
      writeFileSync(join(dist, `${name}.d.ts`), `export * from './${name}.cjs'\n`)
  }
}

/** Vitest cannot be required. An ES module that imports it can, on every Node that has `require(esm)`: 20.19 and newer. */
function requireModule(dist) {
  rmSync(join(dist, 'index.cjs.map'))
  writeFileSync(join(dist, 'index.cjs'), "module.exports = require('./index.js')\n")
}

/** A Worker reads no files, so where one tests, its bundler finds those of all services here. */
function importServices(folder) {
  const names = readdirSync(join(folder, 'services'))
  const lines = [
    ...names.map((name, at) => `import file${at} from '../services/${name}' with { type: 'json' }`),
    'const files = new Map([',
    ...names.map((name, at) => `  ['${basename(name, '.json')}', file${at}],`),
    '])',
    'export const readService = (name) => files.get(name)',
  ]
  writeFileSync(join(folder, 'dist/services-workerd.js'), `${lines.join('\n')}\n`)
}

/** The name of the files of an entry: `index` for '.', `testing` for './testing'. */
function nameOf(path) {
  return path === '.' ? 'index' : path.slice('./'.length)
}

async function run(cwd, options) {
  // Only now: this takes longer than to find out that there is nothing to do.
  const { build } = await import('tsdown')
  await build({
    config: false,
    cwd,
    dts: false,
    platform: 'neutral',
    target: 'es2022',
    tsconfig: false,
    fixedExtension: false,
    hash: false,
    sourcemap: true,
    // import.meta.url in CommonJS.
    shims: true,
    // So that there is one WebhookError, whatever is installed.
    deps: {
      skipNodeModulesBundle: true,
      neverBundle: [/^#/, /^node:/, /^@webhook-receiver\/(?!inspector)/],
    },
    // A private package is never built for itself.
    inputOptions: {
      resolve: { conditionNames: [SOURCE, 'import', 'node'] },
      // The maps say where a line comes from.
      experimental: { attachDebugInfo: 'none' },
    },
    checks: { legacyCjs: false, pluginTimings: false },
    report: false,
    logLevel: 'warn',
    failOnWarn: true,
    outputOptions: readable,
    ...options,
  })
}

/** Names stay, for stack traces; the maps lead to `src`, which is published too, and holds the comments. */
function readable(output, _format, { cjsDts }) {
  const comments = cjsDts ? output.comments : { annotation: true, jsdoc: false, legal: true }
  return { ...output, comments, sourcemapExcludeSources: true }
}

/** Without a group, whatever two entries share in the same way would be a file of its own: 25 in core. */
function outputOptions(output, format, context) {
  const groups = [
    { name: 'shared', test: (file) => !isTypes(file), minShareCount: 2 },
    { name: 'shared.d', test: isTypes, minShareCount: 2 },
  ]
  return { ...readable(output, format, context), codeSplitting: { groups } }
}

function isTypes(file) {
  return file.endsWith('.d.ts')
}

function fingerprint(folders) {
  const hash = createHash('sha256')
  const files = folders
    .flatMap((folder) => [join(folder, 'src'), join(folder, 'page')])
    .filter((path) => existsSync(path))
    .flatMap((path) => readdirSync(path, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
  const tools = [import.meta.filename, join(ROOT, 'pnpm-lock.yaml')]
  const manifests = folders.map((folder) => join(folder, 'package.json'))
  for (const file of [...tools, ...manifests, ...files.sort()]) {
    hash.update(`${file.slice(ROOT.length)}\n`).update(readFileSync(file))
  }
  return hash.digest('hex')
}

function stampOf(folder) {
  try {
    return readFileSync(join(folder, STAMP), 'utf8')
  } catch {
    return undefined
  }
}
