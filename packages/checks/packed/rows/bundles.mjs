import { cp, mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { run } from '../../step.mjs'
import { startNode, tryApplication } from '../deliver.mjs'
import { versionOf } from '../install.mjs'
import { APPLICATIONS, compiled } from '../peers.mjs'
import { installRuntimes } from '../runtimes/install.mjs'
import { COMPATIBILITY, startWorker } from '../runtimes/workerd.mjs'

/** What is not in the folder of the applications. */
const BUNDLERS = {
  rollup: '4',
  '@rollup/plugin-commonjs': '29',
  '@rollup/plugin-json': '6',
  '@rollup/plugin-node-resolve': '16',
  webpack: '5',
}

/** The applications as one file each, which runs where nothing is installed. */
export const bundleRows = [
  { bundler: 'esbuild', extension: 'cjs', short: true },
  { bundler: 'esbuild', extension: 'mjs', short: true },
  { bundler: 'rollup', extension: 'mjs', short: false },
  { bundler: 'webpack', extension: 'cjs', short: false },
].map(({ bundler, extension, short }) => ({
  name: `one file, ${bundler}, ${extension}`,
  short,
  async run(context) {
    const bundled = await bundle(context, bundler, 'express', extension)
    const start = (secret) => startNode(secret, { cwd: bundled.folder, file: bundled.file })
    const result = await tryApplication(start, { parses: true, quiet: true })
    return { versions: bundled.version, ...result }
  },
}))

export const workerRow = {
  name: 'one file, esbuild, workerd',
  short: false,
  async run(context) {
    const { file, version } = await bundle(context, 'esbuild', 'worker', 'mjs')
    const [{ binary, name }] = await installRuntimes(context.path('workerd'), ['workerd'])
    const compatibility = COMPATIBILITY
    const start = (WEBHOOK_SECRET) =>
      startWorker(binary, file, { bindings: { WEBHOOK_SECRET }, compatibility })
    return { versions: `${version}, ${name}`, ...(await tryApplication(start)) }
  },
}

/** Bundles a compiled application into one file in an empty folder. */
async function bundle(context, bundler, application, extension) {
  const { folder: applications, into } = await compiled(context, 'newest', '5.9', 'nodenext')
  const tools = bundler === 'esbuild' ? applications : await context.installed('bundlers', BUNDLERS)
  const script = `bundle-${bundler}.mjs`
  await cp(join(APPLICATIONS, script), join(tools, script))
  const folder = await mkdtemp(context.path('bundled-'))
  const file = join(folder, `${application}.${extension}`)
  const entry = join(applications, into, `${application}.mjs`)
  await run(process.execPath, [script, entry, file], { cwd: tools })
  return { folder, file, version: `${bundler} ${await versionOf(tools, bundler)}` }
}
