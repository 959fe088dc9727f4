import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { DOCS, ROOT } from '../sources.mjs'
import { table } from './table.mjs'

const HEAD = [
  'service',
  'signature',
  'not signed',
  'replay window',
  'waits, retries',
  'compared with',
]

const COMMAND = join(ROOT, 'packages/cli/bin/webhook-receiver.js')

/** What each scheme is, as the command line shows it. Those with an entry of their own are described in the text. */
export async function schemeTable() {
  return table(HEAD, (await listedSchemes()).map(rowOf))
}

/** The services, each with a link to its page. */
export async function serviceList() {
  const listed = [...(await listedSchemes()), { name: 'aws-sns', title: 'Amazon SNS' }]
  const pages = new Map(listed.map(({ name, title }) => [title ?? 'Standard Webhooks', name]))
  return [...pages]
    .sort(([a], [b]) => a.localeCompare(b, 'en'))
    .map(([title, name]) => `- [${title}](../../../docs/${pageOf(name)})`)
    .join('\n')
}

function pageOf(name) {
  const page = `services/${name}.md`
  return existsSync(join(DOCS, page)) ? page : 'guides/schemes.md'
}

/** Without the default format, and what is described in the text. */
export async function listedSchemes() {
  return (await everyScheme()).filter(({ documentation }) => documentation)
}

/** All that the command line knows of each. */
export async function everyScheme() {
  const { stdout } = await promisify(execFile)(process.execPath, [COMMAND, 'schemes', '--json'])
  return stdout.trim().split('\n').map(JSON.parse)
}

function rowOf({ name, exported, algorithms, ambiguous, unsigned, tolerance, ...scheme }) {
  const { patience, retries, judge, checked } = scheme
  const [, sdk, version] = /^(.*) (\S+)$/.exec(judge) ?? []
  const judged = sdk ? `\`${sdk}\` ${version}` : `[its signature](${judge})`
  return [
    `[\`${exported}\`](../services/${name}.md)`,
    algorithms.join(', '),
    // Such a form is signed, but for where its names and values end.
    ambiguous
      ? `${unsigned.filter((part) => part === 'id' || part === 'event').join(', ')}, where names and values end`
      : unsigned.join(', ') || '–',
    tolerance === null
      ? 'none'
      : tolerance % 3600 === 0
        ? `${tolerance / 3600} h`
        : `${tolerance} s`,
    [patience && `${patience} s`, RETRIES[retries]].filter(Boolean).join(', ') || 'not documented',
    `${judged}, ${checked}`,
  ]
}

const RETRIES = { true: 'retries', false: '**no retries**' }
