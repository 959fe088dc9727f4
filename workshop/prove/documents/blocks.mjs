// The code blocks of the documents that need packages which this checkout does not have, and the servers of the guides: their types,
// against the packed packages. Each server gets a forged request and a valid delivery.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { freePorts } from '../free-ports.mjs'
import { compile } from '../packed/compile.mjs'
import { versionOf } from '../packed/install.mjs'
import { tryRows } from '../packed/rows.mjs'
import { receiveIn } from '../receive.mjs'
import { importsOf } from '../release/readme.mjs'
import { findBlocks } from './code-blocks.mjs'

const TOOLS = {
  '@types/express': 'latest',
  '@types/node': '20',
  typescript: '5.9',
}

/** What TanStack Start generates from the names of the files in a project. */
const GENERATED = `import type { AnyRoute } from '@tanstack/react-router'
import type {} from '@tanstack/react-start'
declare module '@tanstack/react-router' {
  interface FileRoutesByPath {
    '/stripe': { id: '/stripe'; path: '/stripe'; fullPath: '/stripe'; preLoaderRoute: unknown; parentRoute: AnyRoute }
  }
}
`

const onServices = ({ document }) => document.startsWith('services/')
const blocks = findBlocks()

await tryRows('prove -- blocks', [
  {
    name: 'the pages of services',
    run: (context) => tryBlocks(context, 'services', blocks.filter(onServices)),
  },
  {
    name: 'the guides',
    run: (context) =>
      tryBlocks(
        context,
        'guides',
        blocks.filter((block) => !onServices(block)),
      ),
  },
])

async function tryBlocks(context, name, tried) {
  const needs = [...new Set(tried.flatMap((block) => [...block.needs, ...importsOf(block.code)]))]
  const isOurs = (each) => each.startsWith('@webhook-receiver/')
  const versions = needs.map((each) => [each, isOurs(each) ? '*' : 'latest'])
  const folder = await context.installed(
    name,
    { ...Object.fromEntries(versions), ...TOOLS },
    { manager: 'npm' },
  )
  const [port] = await freePorts(1)
  const files = tried.map((_, index) => `block-${index}.mts`)
  const write = (file, code) =>
    writeFile(
      join(folder, file),
      code.replaceAll('3000', String(port)).replaceAll(/'\.\/([\w-]+)\.js'/g, "'./$1.mjs'"),
    )
  for (const [index, { code }] of tried.entries()) await write(files[index], code)
  const beside = new Map(tried.flatMap((block) => block.beside.map((one) => [one.file, one.code])))
  for (const [file, code] of beside) {
    files.push(file.replace(/ts$/, 'mts'))
    await write(files.at(-1), code)
  }
  if (needs.includes('@tanstack/react-start')) {
    files.push('generated.d.mts')
    await writeFile(join(folder, 'generated.d.mts'), GENERATED)
  }
  const problems = await compile({ folder, files, into: 'out' })
  const saw = await Promise.all(
    needs.map(async (each) => isOurs(each) || `${each} ${await versionOf(folder, each)}`),
  )
  for (const [index, { document, heading, code, isServer }] of tried.entries()) {
    if (!isServer || problems.length > 0) continue
    const file = join('out', `block-${index}.mjs`)
    const { runs } = await receiveIn({ folder, code, file, port })
    if (runs !== 1) problems.push(`${document}, ${heading}: the handler ran ${runs} times`)
  }
  return { saw: saw.filter((each) => each !== true).join(', '), problems }
}
