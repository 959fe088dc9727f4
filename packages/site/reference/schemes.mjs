import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { DOCS, ROOT } from '../sources.mjs'

const COMMAND = join(ROOT, 'packages/cli/bin/webhook-receiver.js')

/** The services, each with a link to its page. */
export async function serviceList() {
  const listed = (await everyScheme()).filter(({ page }) => page)
  const pages = new Map(
    listed.toReversed().map(({ name, title }) => [title ?? 'Standard Webhooks', name]),
  )
  return [...pages]
    .sort(([a], [b]) => a.localeCompare(b, 'en'))
    .map(([title, name]) => `- [${title}](../../../docs/services/${pageOf(name)}.md)`)
    .join('\n')
}

/** The page of a service, or the list of all. */
function pageOf(name) {
  return existsSync(join(DOCS, 'services', `${name}.md`)) ? name : 'README'
}

/** Without the default format, and what is a function. */
export async function listedSchemes() {
  return (await everyScheme()).filter(({ algorithms }) => algorithms.length > 0)
}

/** All that the command line knows of each. */
export async function everyScheme() {
  const { stdout } = await promisify(execFile)(process.execPath, [COMMAND, 'schemes', '--json'])
  return stdout.trim().split('\n').map(JSON.parse)
}
