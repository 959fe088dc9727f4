import { execFile } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { everyScheme } from '../reference/schemes.mjs'
import { table } from '../reference/table.mjs'
import { ROOT } from '../sources.mjs'
import { pathOf, serversOf } from './servers.mjs'

/** The names of all services that have a page. */
export const SERVICES = readdirSync(join(ROOT, 'packages/schemes/services')).map((name) =>
  name.replace(/\.json$/, ''),
)

/** A page that is not there yet. What is written by hand goes between its blocks. */
export async function newPage(name) {
  const service = await serviceOf(name)
  const { title } = service.file
  const heading = /webhook|interaction/i.test(title) ? title : `${title} webhooks`
  const block = (kind) =>
    `<!-- Written by \`npm run site:write\`: ${kind} ${name} -->\n<!-- end -->`
  return `# ${heading}

${block('secret')}

## A complete server

<!-- choose: framework -->
${block('servers')}

${block('service')}
`
}

/** What is covered, and where the secret is. */
export async function secretOf(name) {
  const { file, exported, secret, title, hasId, hasEvent, documentation } = await serviceOf(name)
  const parts = ['scheme', hasId && 'id', hasEvent && 'event', 'data'].filter(Boolean).join(', ')
  const begin = Object.entries(secret?.mistaken ?? {})
  const mistaken = [...new Set(begin.map(([, what]) => what))].map((what) => {
    const alike = begin.filter(([, each]) => each === what).map(([begins]) => `\`${begins}\``)
    return `${listed(alike, 'or')} (${what})`
  })
  return [
    `\`${exported}\` verifies that a request comes from ${title}, before your handler gets it as \`{ ${parts} }\`, where \`data\` is the whole body. For ${listed(file.words)}.`,
    '## Get the secret',
    [
      file.where,
      secret?.begins ? `It begins with \`${secret.begins}\`.` : '',
      mistaken.length > 0 ? `What begins with ${listed(mistaken, 'or')} is something else.` : '',
      `The server below reads it from \`${file.variable}\`. [How ${title} signs](${documentation}).`,
    ]
      .filter(Boolean)
      .join(' '),
    file.settings.map((text) => `- ${text}`).join('\n'),
  ]
    .filter(Boolean)
    .join('\n\n')
}

export async function serversFor(name) {
  return serversOf(await serviceOf(name))
    .map(
      ({ framework, install, file, code }) =>
        `### ${framework}\n\n\`\`\`sh\nnpm install ${install} @webhook-receiver/schemes\n\`\`\`\n\n\`\`\`ts [${file}]\n${code}\n\`\`\``,
    )
    .join('\n\n')
}

/** All behind the servers. */
export async function serviceText(name) {
  const service = await serviceOf(name)
  return [
    tryIt(service),
    service.signs ? testOf(service) : '',
    typesOf(service),
    behaviour(service),
    notSigned(service),
    mistakes(service),
    sdkOf(service),
  ]
    .filter(Boolean)
    .join('\n\n')
}

/** Those without a page have a link to what the service says. */
export async function serviceIndex() {
  const services = await allServices()
  const rows = services.map(({ name, file, exported, signed, unsigned, tolerance, retries }) => [
    `[${file.title}](${name}.md)`,
    `\`${exported}\``,
    signed.length === 0 || !unsigned.includes('id')
      ? 'all'
      : `not the ${listed(unsigned.filter(isNamed), 'or')}`,
    durationOf(tolerance) ?? 'none',
    RETRIES[retries],
  ])
  return table(['service', 'import', 'signed', 'replay window', 'retries'], rows)
}

const RETRIES = { true: 'yes', false: '**no**', null: 'see its page' }

function tryIt({ name, file, event, signs, signsUrl, hasEvent, title, sample, tolerance }) {
  const url = `http://localhost:3000${pathOf({ name })}`
  const publicUrl = signsUrl ? ` \\\n  --public-url https://example.com${pathOf({ name })}` : ''
  const others = Object.keys(file.samples).slice(1)
  const language = /^[[{]/.test(sample) ? 'json' : 'text'
  const shown = `\`\`\`${language}\n${sample}\n\`\`\``
  const tools = file.tools.map(({ run, note }) => `# ${note}\n${run}`)
  const own =
    tools.length > 0 ? [`With ${title}'s own command:`, fence('sh', tools.join('\n'))] : []
  if (!signs) {
    return [
      '## Try it',
      `Only ${title} can sign, with a private key. Save a request that it sends, and send it to your server as often as you like${tolerance === null ? '' : `, for ${durationOf(tolerance)}`}:`,
      fence(
        'sh',
        `npx @webhook-receiver/cli listen --port 4000 --scheme ${name} --secret-env ${file.variable} --save captures\nnpx @webhook-receiver/cli replay captures ${url}`,
      ),
      ...own,
      `This is ${quotedEvent(event, hasEvent, file)}, without its signature; there are [others](../../packages/schemes/services/${name}.json):`,
      shown,
    ].join('\n\n')
  }
  return [
    '## Try it',
    `Start the server (\`npx tsx server.ts\`), and send it an event from another terminal. Both need the same secret in \`${file.variable}\`:`,
    fence(
      'sh',
      `npx @webhook-receiver/cli send ${quotedArgument(event)} ${url} \\\n  --scheme ${name} --secret-env ${file.variable}${publicUrl}`,
    ),
    `This is what it sends${hasEvent ? '' : ` (${event})`}. It also knows ${listed(others.map((each) => `\`${each}\``))}.`,
    shown,
    ...own,
  ].join('\n\n')
}

function quotedEvent(event, hasEvent, file) {
  const { title } = file.samples[event]
  return hasEvent ? `\`${event}\`${title ? `, ${title}` : ''}` : `a request (${event})`
}

function quotedArgument(event) {
  return /^[\w./:-]+$/.test(event) ? event : `'${event}'`
}

function testOf({ name, exported, event, module, signsUrl, success, file }) {
  const publicUrl = signsUrl ? `\n    publicUrl: 'https://example.com${pathOf({ name })}',` : ''
  return `## Test

\`\`\`ts
import { deliverTo } from '@webhook-receiver/express/testing'
import { ${exported} } from '${module}'
import { withSamples } from '@webhook-receiver/schemes/services'
import type { Express } from 'express'
import { expect, test } from 'vitest'

declare const app: Express // the one above
const event = '${event}'

test('handles an event', async () => {
  const { status } = await deliverTo(app, event, undefined, {
    scheme: withSamples(${exported}),
    secret: process.env.${file.variable},
    path: '${pathOf({ name })}',${publicUrl}
  })
  expect(status).toBe(${file.reply ? 200 : success})
})
\`\`\`

\`undefined\` is the sample above. [Testing](../guides/testing.md) has the other frameworks.`
}

function typesOf({ file, title }) {
  const schemas = 'A [schema](../guides/types.md) checks it at runtime, too.'
  if (!file.types) {
    return `## Types

The properties of \`data\` are \`unknown\` until a [schema](../guides/types.md) gives them types.`
  }
  return `## Types

\`typed\` gives \`data\` the types of ${title}'s own package. ${schemas}

\`\`\`ts needs=${file.types.package}
${file.types.code.join('\n')}
\`\`\``
}

function behaviour(service) {
  const { title, algorithms, signed, headers, tolerance, patience, success, file } = service
  const { checked, judge, largest } = service
  const rows = [
    [
      'signs',
      signed.length > 0
        ? `${listed(signed.map(partText))}, by ${algorithms.join(' or ')}`
        : 'the fields of its messages, by RSA and a certificate',
    ],
    ['headers', headers.map((header) => `\`${header}\``).join(', ')],
    ['replay window', durationOf(tolerance) ?? 'none'],
    ['waits for a response', patience === null ? 'not documented' : `${patience} seconds`],
    ['your server responds', file.reply ? 'with what your handler replies' : `with ${success}`],
    ['retries', `${file.retries} ([source](${file.source}))`],
    ['order', file.order],
    ...(largest > 1_048_576
      ? [
          [
            'largest body',
            `${(largest / 1_048_576).toFixed(1)} MiB: raise [\`limit\`](../reference/options.md), which is 1 MiB`,
          ],
        ]
      : []),
    ...(checked ? [['tested against', `${judgeOf(judge)}, on ${checked}`]] : []),
  ]
  return `## What ${title} does\n\n${table(['', ''], rows)}`
}

/** The SDK with its version, or where its examples are from. */
function judgeOf(judge) {
  const [, sdk, version] = /^(.*) (\S+)$/.exec(judge) ?? []
  return sdk ? `\`${sdk}\` ${version}` : `[its documentation](${judge})`
}

/** What follows from what the signature does not cover. */
function notSigned({ unsigned, ambiguous, tolerance, isDecision, hasId, hasEvent }) {
  const named = unsigned.filter(isNamed)
  const texts = [
    named.length > 0
      ? `The ${listed(named)} ${named.length > 1 ? 'are' : 'is'} not signed: someone who has captured one request can send its content under another ${listed(named, 'or')}. Take what matters from \`data\`.`
      : '',
    ambiguous
      ? 'Names and values of a form are signed without anything in between, so two different forms can have the same signature: check the fields that you rely on.'
      : '',
    tolerance === null ? 'No time is checked, so a captured request stays valid forever.' : '',
    isDecision ? '' : copies({ tolerance, hasId, unsigned }),
  ].filter(Boolean)
  const covered = [hasId && 'id', hasEvent && 'event', 'time', 'body'].filter(Boolean)
  const all =
    named.length > 0 || ambiguous || tolerance === null
      ? ''
      : `Nothing that your handler gets: the ${listed(covered)} are signed.`
  return `## What is not signed\n\n${[all, ...texts].filter(Boolean).join(' ')}`
}

/** What recognises a copy. */
function copies({ tolerance, hasId, unsigned }) {
  const duplicates = '[`duplicates`](../guides/schemes.md#duplicates)'
  if (!hasId || unsigned.includes('id'))
    return `Only a [store](../reference/stores.md) recognises a copy, once you tell it what ${duplicates} are.`
  return tolerance === null ? 'Only a [store](../reference/stores.md) recognises a copy.' : ''
}

function mistakes({ mistakes: all }) {
  const parts = all.map(({ mistake, fix, line }) => {
    const [, reason] = / https:\S+#(\w+)$/.exec(line) ?? []
    const more = reason ? ` ([\`${reason}\`](../errors.md#${reason}))` : ''
    const said = fix === undefined ? `**${mistake}.**` : `**${mistake}.** ${fix}${more}`
    return `${said}\n\n${fence('text', wrapped(line))}`
  })
  return `## If it fails\n\nThe usual mistakes, and what your server logs:\n\n${parts.join('\n\n')}\n\nAnything else: [body already read](../errors.md#body_already_read), [signature does not match](../guides/signature-does-not-match.md).`
}

function sdkOf({ file: { sdk } }) {
  if (!sdk) return ''
  const rows = Object.entries(sdk.names).map(([there, here]) => [`\`${there}\``, here])
  return `## Coming from \`${sdk.package}\`

Instead of \`${sdk.verifies}\`, \`webhookHandler\` reads the body, verifies it and responds.

${table([`\`${sdk.package}\``, 'here'], rows)}`
}

function partText(part) {
  if (part === 'url') return 'the URL'
  if (part === 'form') return 'the fields of the form'
  if (part === 'body') return 'the body'
  if (part === 'timestamp') return 'the timestamp'
  // A header with several names.
  const names = part.replaceAll('"', '').split(/,(?=[\w-])/)
  return listed(
    names.map((name) => `\`${name}\``),
    'or',
  )
}

function isNamed(part) {
  return part === 'id' || part === 'event'
}

function durationOf(seconds) {
  if (seconds === null) return undefined
  if (seconds % 3600 === 0) return `${seconds / 3600} hours`
  return seconds % 60 === 0 ? `${seconds / 60} minutes` : `${seconds} seconds`
}

function listed(texts, word = 'and') {
  return texts.length < 2
    ? texts.join()
    : `${texts.slice(0, -1).join(', ')} ${word} ${texts.at(-1)}`
}

function fence(language, text) {
  return `\`\`\`${language}\n${text}\n\`\`\``
}

/** As a narrow terminal shows it. */
function wrapped(text) {
  return text.replace(/(.{1,66})(?: +|$)/g, '$1\n  ').trim()
}

let found

/** What the command line and the services' files know of each, by title. */
async function allServices() {
  found ??= Promise.all([everyScheme(), readFacts()]).then(([schemes, facts]) =>
    facts
      .map((each) => {
        const scheme = schemes.find(({ name }) => name === each.name)
        const isAws = each.name === 'aws-sns'
        return {
          ...scheme,
          ...each,
          call: isAws ? 'awsSns({ confirm: true })' : scheme.exported,
          module: `@webhook-receiver/schemes${isAws ? '/aws-sns' : ''}`,
        }
      })
      .sort((a, b) => a.file.title.localeCompare(b.file.title, 'en')),
  )
  return found
}

async function readFacts() {
  const script = join(import.meta.dirname, 'facts.mjs')
  const { stdout } = await promisify(execFile)(process.execPath, [script], { maxBuffer: 2 ** 24 })
  return JSON.parse(stdout)
}

async function serviceOf(name) {
  const service = (await allServices()).find((each) => each.name === name)
  if (!service) throw new Error(`There is no service ${name}: build the packages first.`)
  return service
}
