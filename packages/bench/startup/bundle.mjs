import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { build } from 'esbuild'

/**
 * Bytes of what is needed of a package, bundled for Node, minified and compressed: what is loaded at start,
 * and with what is loaded when it is needed.
 */
export async function bundleOf({ name, names }, folder) {
  const { outputFiles, metafile } = await build({
    stdin: { contents: `export { ${names.join(', ')} } from '${name}'`, resolveDir: folder },
    bundle: true,
    format: 'esm',
    minify: true,
    platform: 'node',
    splitting: true,
    outdir: join(folder, 'bundle'),
    metafile: true,
    write: false,
    logLevel: 'silent',
  })
  const sizes = new Map(
    outputFiles.map(({ path, contents }) => [path.split('/').at(-1), compressed(contents)]),
  )
  const outputs = Object.entries(metafile.outputs).map(([path, output]) => ({
    file: path.split('/').at(-1),
    ...output,
  }))
  const entry = outputs.find(({ entryPoint }) => entryPoint === '<stdin>')
  const atStart = reached(entry, outputs)
  const sum = (files) => files.reduce((total, file) => total + sizes.get(file), 0)
  return { start: sum([...atStart]), all: sum([...sizes.keys()]) }
}

function reached(entry, outputs, seen = new Set()) {
  seen.add(entry.file)
  for (const { path, kind } of entry.imports) {
    const next = outputs.find(({ file }) => file === path.split('/').at(-1))
    if (next && kind === 'import-statement' && !seen.has(next.file)) reached(next, outputs, seen)
  }
  return seen
}

function compressed(contents) {
  return brotliCompressSync(contents).length
}
