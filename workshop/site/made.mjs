// Pages that are made while the site is built: those of the frameworks, the contract, from openapi.json, and the changelog.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { table } from '../prove/table.mjs'
import { ROOT } from './sources.mjs'
import { startPages } from './start.mjs'

/** Each with the file that it is made from, the group of docs/README.md that it is listed in, if it is in one, and the parts that the search reads. */
export const made = [
  // What all of them have in common would be found once for each.
  ...startPages.map((page) => ({ ...page, source: 'docs/start.md', searched: [page.section] })),
  {
    file: 'workshop/site/pages/reference/contract.md',
    title: 'The default format: headers and events',
    group: 'API',
    source: 'packages/contract/openapi.json',
    content: contractPage(),
    searched: contractPage().split(/^(?=## )/m),
  },
  {
    file: 'workshop/site/pages/reference/changelog.md',
    title: 'Changelog',
    group: 'Versions',
    source: '.changeset/README.md',
    content: changelogPage(),
    // The versions have all words.
    searched: ['Releases, versions'],
  },
]

function contractPage() {
  const contract = JSON.parse(readFileSync(join(ROOT, 'packages/contract/openapi.json'), 'utf8'))
  const { post: delivery } = contract.webhooks.delivery
  const [path, { post: registration }] = Object.entries(contract.paths)[0]
  const { schemas } = contract.components
  const events = Object.entries(delivery.requestBody.content['application/json'].examples)
  const { data, ...envelope } = schemas.MessageReceived.properties
  const content = Object.fromEntries(
    Object.entries(data.properties).map(([name, value]) => [`data.${name}`, value]),
  )
  return `# The default format: headers and events

What a service sends to you, and what it expects back. This page is made from
[\`openapi.json\`](../../../packages/contract/openapi.json), which you can install as [\`@webhook-receiver/contract\`](../../../packages/contract), also as
AsyncAPI and JSON Schema.

## Headers

${table(
  ['header', 'content'],
  delivery.parameters.map(({ name, description, schema }) => [
    `\`${name}\``,
    description + exampleOf(schema),
  ]),
)}

## Body

${delivery.requestBody.description}

${propertyTable({ ...envelope, ...content })}

## Events

<!-- choose: event -->

${events.map(([name, { value }]) => `### ${name}\n\n\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\``).join('\n\n')}

<!-- end -->

${schemas.UnknownEvent.description}

## Responses

${table(
  ['status', 'meaning'],
  ['2XX', ...Object.keys(delivery.responses).filter((status) => status !== '2XX')].map((status) => [
    status,
    delivery.responses[status].description.replaceAll('\n\n', ' '),
  ]),
)}

## Register a webhook

\`POST ${path}\`. ${registration.description ?? ''}

${propertyTable(schemas.Registration.properties)}

The response:

${propertyTable(schemas.CreatedWebhook.properties)}

## What the contract leaves open

It does not define everything. These tables show what the receiver does in these cases, and which option changes it.

${contract.info.description.slice(contract.info.description.indexOf('## ')).replaceAll(/^##/gm, '###')}
`
}

/** A short one. */
function exampleOf({ examples: [example] }) {
  return example.length < 30 ? ` For example \`${example}\`.` : ''
}

function propertyTable(properties) {
  return table(
    ['property', 'content'],
    Object.entries(properties).map(([name, { description }]) => [`\`${name}\``, description]),
  )
}

/** What is not released yet, and what was: all packages share their versions. */
function changelogPage() {
  const folder = join(ROOT, '.changeset')
  const pending = readdirSync(folder)
    .filter((name) => name.endsWith('.md') && name !== 'README.md')
    .map((name) => readFileSync(join(folder, name), 'utf8').replace(/^---\n.*?^---\n/ms, ''))
  const released = join(ROOT, 'packages/core/CHANGELOG.md')
  return `# Changelog

All packages have the same version.

## Not released yet

${pending.join('\n')}
${existsSync(released) ? readFileSync(released, 'utf8').replace(/^# .*\n/, '') : ''}`
}
