// Part of `npm run bump`: gives the examples that are not in the workspace, which changesets does not see, the new versions.
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { publicPackages } from '../pack.mjs'

const EXAMPLES = new URL('../../../examples/', import.meta.url)

const versions = new Map((await publicPackages()).map(({ name, version }) => [name, version]))
for (const name of await readdir(EXAMPLES)) {
  for (const manifest of ['package.json', 'deno.json']) {
    const file = new URL(`${name}/${manifest}`, EXAMPLES)
    const text = await readFile(file, 'utf8').catch(() => undefined)
    const bumped = text?.replace(
      /"(@webhook-receiver\/[\w-]+)": "(npm:\1@)?\^[\d.]+"/g,
      (_, name, prefix = '') => `"${name}": "${prefix}^${versions.get(name)}"`,
    )
    if (bumped !== text) await writeFile(file, bumped)
  }
}
