import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { inTemporaryFolder } from '@webhook-receiver/checks/pack.mjs'
import { run as execute } from '@webhook-receiver/checks/step.mjs'
import { bytes } from '../figures.mjs'
import { mainOf } from '../runtimes.mjs'
import { interleaved, quartiles } from '../statistics.mjs'
import { bundleOf } from './bundle.mjs'
import { CONTENDERS } from './contenders.mjs'
import { installAll } from './installed.mjs'

const LOAD = fileURLToPath(new URL('./load.mjs', import.meta.url))
const EMPTY = new URL('./empty.mjs', import.meta.url).href

/** What it takes to have a contender: its packages, its bytes, and what its import costs a fresh process. */
export async function run({ quick, smoke, runtimes, progress }) {
  const { name: node, binary } = mainOf(runtimes)
  const found = await inTemporaryFolder(async (folder) => {
    progress('startup: installing each contender by itself …')
    const installed = await installAll(folder)
    progress(`startup: importing each on ${node} …`)
    const entries = await Promise.all(installed.map(withEntry))
    const samples = await interleaved(
      [{ name: 'empty', url: EMPTY }, ...entries].map(({ name, url }) => ({
        name,
        sample: () => load(binary, url),
      })),
      smoke ? 1 : quick ? 5 : 21,
    )
    return Promise.all(
      installed.map(async (contender) => ({
        ...contender,
        ...(await bundleOf(
          CONTENDERS.find(({ name }) => name === contender.name),
          contender.folder,
        )),
        ...beyondEmpty(samples, contender.name),
      })),
    )
  })
  const results = found.map(({ folder: _, ...result }) => result)
  return {
    tables: [tableOf(results, node)],
    json: results,
  }
}

/** A module where a contender is installed, that does nothing but import it. */
async function withEntry({ name, folder }) {
  const file = join(folder, 'entry.mjs')
  await writeFile(file, `import '${name}'\n`)
  return { name, url: pathToFileURL(file).href }
}

/** Undefined where a contender does not load on this Node. */
async function load(binary, url) {
  try {
    return JSON.parse(await execute(binary, ['--expose-gc', LOAD, url]))
  } catch {
    return undefined
  }
}

/** The median difference to the import of an empty module in the same round. */
function beyondEmpty(samples, name) {
  if (samples[name].includes(undefined)) return {}
  const difference = (figure) =>
    quartiles(samples[name].map((sample, round) => sample[figure] - samples.empty[round][figure]))
  return { cpu: difference('cpu'), heap: difference('heap').median }
}

function tableOf(results, node) {
  return {
    title: `Start-up and size (${node})`,
    head: [
      '',
      'version',
      'packages',
      'on disk',
      'bundled, at start',
      'with what loads later',
      'CPU of the import',
      'heap',
    ],
    rows: results.map(({ name, version, packages, size, start, all, cpu, heap }) => [
      name,
      version,
      packages,
      bytes(size),
      bytes(start),
      bytes(all),
      cpu
        ? `${(cpu.median / 1000).toFixed(1)} ms (${(cpu.low / 1000).toFixed(1)}–${(cpu.high / 1000).toFixed(1)})`
        : 'does not load',
      cpu ? bytes(heap) : '–',
    ]),
    note: 'Each installed by itself, ours without the framework. Bundled for Node by esbuild, with what an application takes of it to verify, minified, brotli. The import is the median difference to an empty module, each in a fresh process.',
  }
}
