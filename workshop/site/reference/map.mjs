import { execFileSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../sources.mjs'

/** A picture of what imports what, without the arrows that a longer way says too. Packages with the same arrows are one box. */
export function packageMap() {
  const imports = importsOfPackages()
  const reached = (folder) => imports.get(folder).flatMap((to) => [to, ...reached(to)])
  const arrows = [...imports].flatMap(([from, all]) =>
    all.filter((to) => !all.some((over) => reached(over).includes(to))).map((to) => [from, to]),
  )
  const boxes = new Map()
  for (const folder of imports.keys()) {
    const own = arrows.filter((arrow) => arrow.includes(folder))
    const key = own.map((arrow) => arrow.map((name) => (name === folder ? '' : name))).join()
    boxes.set(key, [...(boxes.get(key) ?? []), folder])
  }
  const first = (folder) => [...boxes.values()].find((box) => box.includes(folder))[0]
  const lines = [
    ...[...boxes.values()].map((box) => `${box[0]}["${box.join('<br>')}"]`),
    ...new Set(arrows.map(([from, to]) => `${first(from)} --> ${first(to)}`)),
  ]
  return `\`\`\`mermaid
flowchart TD
  workshop["${foldersIn('workshop').join('<br>')}"] --> packages
  subgraph packages
    ${lines.join('\n    ')}
  end
\`\`\``
}

function importsOfPackages() {
  const search = ['grep', '--untracked', '-oE', "from '@webhook-receiver/[a-z-]+", '--']
  const found = execFileSync('git', [...search, 'packages/*/src/*'], {
    cwd: ROOT,
    encoding: 'utf8',
  })
  const pairs = [...found.matchAll(/^packages\/([^/]+).*\/([a-z-]+)$/gm)]
  return new Map(
    foldersIn('packages').map((folder) => {
      const to = pairs.filter(([, from, name]) => from === folder && name !== folder)
      return [folder, [...new Set(to.map(([, , name]) => name))].sort()]
    }),
  )
}

function foldersIn(parent) {
  return readdirSync(join(ROOT, parent)).filter((name) => !name.includes('.'))
}
