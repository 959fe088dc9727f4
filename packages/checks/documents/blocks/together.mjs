import { symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { compile } from '../../packed/compile.mjs'
import { install, versionOf } from '../../packed/install.mjs'
import { run } from '../../step.mjs'
import { nameOf } from './find.mjs'

const PACKAGES = fileURLToPath(new URL('../../../', import.meta.url))

/**
 * Checks the types of blocks that do nothing else, all with one installation of what they need, and with the built packages of this
 * checkout.
 */
export async function compileTogether(blocks, folder) {
  const needs = [...new Set(blocks.flatMap((block) => block.needs))]
  const tools = { '@types/node': '20', typescript: '5.9' }
  await install(folder, {
    ...Object.fromEntries(needs.map((name) => [name, 'latest'])),
    ...tools,
  })
  const own = join(folder, 'node_modules/@webhook-receiver')
  await run('mkdir', ['-p', own])
  for (const name of ['core', 'schemes']) await symlink(join(PACKAGES, name), join(own, name))
  const files = blocks.map((_, index) => `block-${index}.mts`)
  for (const [index, { code }] of blocks.entries())
    await writeFile(join(folder, files[index] ?? ''), code)
  const problems = await compile({ folder, module: 'nodenext', files, into: 'out' })
  return Promise.all(
    blocks.map(async (block, index) => {
      const versions = block.needs.map(async (name) => `${name} ${await versionOf(folder, name)}`)
      return {
        name: nameOf(block),
        saw: (await Promise.all(versions)).join(', '),
        problems: problems.filter(
          (line) => !/^block-/.test(line) || line.startsWith(`${files[index]}(`),
        ),
      }
    }),
  )
}
