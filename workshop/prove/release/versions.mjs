// Part of `npm run bump`: writes the new versions where changesets does not see the old ones. These are core, which says what it is, and the
// examples that are not in the workspace.
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { publicPackages } from '../pack.mjs'

const EXAMPLES = new URL('../../../examples/', import.meta.url)
const CORE = new URL('../../../packages/core/src/copies/version.ts', import.meta.url)

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
const core = await readFile(CORE, 'utf8')
const version = versions.get('@webhook-receiver/core')
await writeFile(CORE, core.replace(/VERSION = '.*'/, `VERSION = '${version}'`))
