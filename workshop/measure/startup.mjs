import { brotliCompressSync } from 'node:zlib'
import { run } from '@webhook-receiver/checks/step.mjs'
import { build } from 'esbuild'
import { interleaved, quartiles } from './statistics.mjs'

const IMPORTS = {
  '@webhook-receiver/core': 'createReceiver',
  '@webhook-receiver/express': 'webhookMiddleware',
}

/** The import of a package in a fresh process, and its bytes in a bundle. */
export async function measure(rounds) {
  const names = Object.keys(IMPORTS)
  const samplers = names.map((name) => [name, () => importTimeOf(import.meta.resolve(name))])
  const empty = () => importTimeOf('data:text/javascript,')
  const samples = await interleaved({ ...Object.fromEntries(samplers), empty }, rounds)
  const rows = names.map(async (name) => {
    const beyond = samples[name].map((sample, round) => (sample - samples.empty[round]) / 1000)
    const size = ((await bytesOf(name)) / 1024).toFixed(0)
    const result = `${quartiles(beyond).median.toFixed(1)} ms, ${size} KiB bundled`
    return [`import of ${name}`, 'an empty module', result]
  })
  return Promise.all(rows)
}

/** The µs of CPU. */
async function importTimeOf(url) {
  const program = `const before = process.cpuUsage(); await import('${url}'); const { user, system } = process.cpuUsage(before); console.log(user + system)`
  return Number(await run(process.execPath, ['--input-type=module', '--eval', program]))
}

/** Bundled for Node with what an application takes of it, minified and compressed. */
async function bytesOf(name) {
  const { outputFiles } = await build({
    stdin: {
      contents: `export { ${IMPORTS[name]} } from '${name}'`,
      resolveDir: import.meta.dirname,
    },
    ...{ bundle: true, minify: true, write: false, format: 'esm', platform: 'node' },
  })
  return brotliCompressSync(outputFiles[0].contents).length
}
