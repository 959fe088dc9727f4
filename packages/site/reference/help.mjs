import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { ROOT } from '../sources.mjs'

const CLI = join(ROOT, 'packages/cli/bin/webhook-receiver.js')

/** What the built command line prints for `--help`, and for that of each command. */
export async function helpOfAllCommands() {
  const overview = await help()
  const commands = [...overview.split('Commands:')[1].matchAll(/^ {2}(\w+) /gm)]
    .map(([, name]) => name)
    .filter((name) => name !== 'help')
  const sections = await Promise.all(
    commands.map(async (name) => `## ${name}\n\n${asBlock(await help(name))}`),
  )
  return [asBlock(overview), ...sections].join('\n\n')
}

async function help(...command) {
  const env = { ...process.env, NO_COLOR: '1' }
  const args = [CLI, ...command, '--help']
  const { stdout } = await promisify(execFile)(process.execPath, args, { env })
  return stdout.trim()
}

function asBlock(text) {
  return `\`\`\`text\n${text}\n\`\`\``
}
