import { basename, dirname, resolve } from 'node:path'
import webpack from 'webpack'

const [entry, outfile] = process.argv.slice(2).map((file) => resolve(file))
const compiler = webpack({
  mode: 'production',
  target: 'node20',
  entry,
  output: { path: dirname(outfile), filename: basename(outfile) },
  plugins: [new webpack.optimize.LimitChunkCountPlugin({ maxChunks: 1 })],
})
compiler.run((error, stats) => {
  if (error || stats.hasErrors()) throw error ?? new Error(stats.toString())
})
