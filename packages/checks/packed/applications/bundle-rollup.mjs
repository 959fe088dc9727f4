import commonjs from '@rollup/plugin-commonjs'
import json from '@rollup/plugin-json'
import nodeResolve from '@rollup/plugin-node-resolve'
import { rollup } from 'rollup'

const [input, file] = process.argv.slice(2)
const bundle = await rollup({ input, plugins: [nodeResolve(), commonjs(), json()] })
await bundle.write({ file, format: 'esm', inlineDynamicImports: true })
