import { extname } from 'node:path'
import { build } from 'esbuild'

const [entry, outfile] = process.argv.slice(2)
const format = extname(outfile) === '.cjs' ? 'cjs' : 'esm'
// What is CommonJS inside an ES module requires the modules of Node.
const require = `import { createRequire } from 'node:module'
const require = createRequire(import.meta.url)`
const onNode = { platform: 'node', banner: format === 'esm' ? { js: require } : {} }
const onWorkers = { conditions: ['workerd', 'worker', 'browser'] }
const platform = entry.endsWith('worker.mjs') ? onWorkers : onNode
await build({ entryPoints: [entry], outfile, format, bundle: true, ...platform })
