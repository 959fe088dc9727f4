// The lists of all services: the index, what else was looked up, and values that nobody judges.
import { inspect } from 'node:util'
import { table } from '../../prove/table.mjs'
import { read, SITE } from '../sources.mjs'
import { ALGORITHMS } from './facts.mjs'
import { durationOf, fence, listed, paragraphs } from './markdown.mjs'
import { factLine, kept, leftToYou, REMEDIES, statusOf, UNLIMITED } from './opening.mjs'
import { load, services, tokens } from './services.mjs'

const { SDKS } = await load('workshop/prove/judges/sdks.mjs')
const UNJUDGED = JSON.parse(read('packages/schemes/unjudged.json'))
/** Where most are imported from. */
const SCHEMES = '@webhook-receiver/schemes'
const GROUPS = JSON.parse(read('workshop/site/services/groups.json'))

const byName = new Map(services.map((service) => [service.name, service]))
const sorted = services.toSorted((a, b) => a.file.title.localeCompare(b.file.title, 'en'))

/** In groups. A service that is in none is at the end. */
function groups() {
  const grouped = new Set(Object.values(GROUPS).flat())
  const others = sorted.filter(({ name }) => !grouped.has(name))
  const all = Object.entries(GROUPS).map(([group, names]) => [
    group,
    sorted.filter(({ name }) => names.includes(name)),
  ])
  return others.length > 0 ? [...all, ['More services', others]] : all
}

export function serviceIndex() {
  const leaving = ['signed', 'replay window', 'retries']
  const head = [
    'service',
    'import',
    ...leaving.map((name) => `[${name}](#what-a-service-leaves-to-you)`),
    '[unusual](#what-is-unusual)',
  ]
  const jumps = groups().map(([group]) => `[${group}](#${anchorOf(group)})`)
  const parts = groups().map(([group, list]) => {
    const rows = list.map((each) => [each.file.title, rowOf(each)])
    rows.push(...tokensIn(group).map((each) => [each.title, tokenRow(each)]))
    rows.sort(([one], [other]) => one.localeCompare(other, 'en'))
    const cells = rows.map(([, row]) => row)
    return `## ${group}\n\n${table(head, cells)}`
  })
  return paragraphs(jumps.join(' · '), ...parts)
}

function anchorOf(heading) {
  return heading
    .toLowerCase()
    .replaceAll(/[^\w -]/g, '')
    .replaceAll(' ', '-')
}

function rowOf(service) {
  const { name, file, tolerance } = service
  return [
    nameCell(name, file),
    importCell(service),
    signedCell(service),
    durationOf(tolerance).replace(' ', '&nbsp;'),
    retriesOf(service),
    unusualOf(service),
  ]
}

function tokenRow(token) {
  const { name, signed, window, retries, unusual } = token
  const cell = signed.startsWith('everything') ? signed : `**${signed}**`
  return [nameCell(name, token), importCell(token), cell, window, retries, unusual]
}

/** The names that `@webhook-receiver/schemes` exports, in a README, whose links are those of the site. */
export function imports() {
  const rows = sorted.map(({ name, exported, from, file: { title, variable } }) => [
    `[${KNOWN_AS[name] ?? title}](${SITE}/services/${name})`,
    `\`${exported}\`${from ? ` from \`${from}\`` : ''}`,
    `\`${variable}\``,
  ])
  return table(['service', 'import', 'environment variable'], rows)
}

/** The package, without its scope, where it is not that of the schemes. */
function importCell({ exported, from = SCHEMES }) {
  return `\`${exported}\`${from === SCHEMES ? '' : ` from \`${from.replace(/^@[\w-]+\//, '')}\``}`
}

/** What is signed, in its order, and what is not. */
function signedCell({ signed, unsigned, value, ambiguous }) {
  if (ambiguous) return 'URL, **joined fields; not the id**'
  const parts = signed.flatMap((part) => PARTS[part] ?? (part.header ? 'id' : []))
  const cell = value ? parts.join(', ') : 'fields of the body'
  return unsigned.length > 0 ? `${cell}; **not the ${listed(unsigned, 'or')}**` : cell
}

const PARTS = { body: 'body', form: 'form fields', timestamp: 'timestamp', url: 'URL' }

function nameCell(name, { title, words }) {
  return `[${title}](${name}.md)<br>${words.join(', ')}`
}

function retriesOf({ file, value }) {
  if (file.retriesFor) return file.retriesFor
  if (value?.retries !== undefined) return value.retries ? UNLIMITED : '**no retries**'
  return 'not documented'
}

const UNSIGNED_BODY = '../guides/jwt.md#if-the-body-is-not-signed'

/** What the first screen of the page says in one line. */
export function tokenStrip(name) {
  const token = tokens.find((each) => each.name === name)
  const { title, signed, window, retries, order, waits } = token
  const unsigned = signed.startsWith('all but') ? REMEDIES.unsigned : UNSIGNED_BODY
  const copies = signed === 'everything' ? REMEDIES.window : REMEDIES.unsigned
  return factLine(title, {
    signed: signed === 'everything' ? kept(signed) : leftToYou(signed, unsigned),
    'replay window': window === 'none' ? leftToYou(window, copies) : kept(window),
    retries: kept(retries),
    order: order && leftToYou(order, REMEDIES.order),
    waits,
    response: statusOf(token),
  })
}

/** In what it differs from an HMAC-SHA256 of everything in a JSON body, whose response is a status. */
function unusualOf(service) {
  const { value, hasPair, signsUrl, decision, ambiguous } = service
  const algorithms = value?.keys.map(({ algorithm }) => ALGORITHMS[algorithm]) ?? ['RSA']
  const signing = [...new Set(algorithms)].join(' or ')
  const found = [
    signing !== ALGORITHMS['hmac-sha256'] && signing,
    !value && 'certificate',
    hasPair && 'public key',
    signsUrl && 'signs the URL',
    ambiguous && 'form fields',
    decision && 'waits for your reply',
    value?.secretOffer && 'sends the secret',
    value?.subscription && 'secret per subscription',
    (value?.handshakes || value?.getCheck) && 'checks the URL',
  ]
  return found.filter(Boolean).join(', ')
}

/** Values of services that nobody judges, to copy. */
export function unjudgedText() {
  const rows = UNJUDGED.map(({ title, source, note }) => [`[${title}](${source})`, note || '–'])
  const values = UNJUDGED.map(({ value }) => {
    const written = inspect(value, { depth: 9, breakLength: 72, compact: 2 })
    return `export const ${value.name} = defineScheme(${written})`
  })
  return paragraphs(
    table(['service', 'what to know'], rows),
    fence(
      'ts',
      `import { defineScheme } from '@webhook-receiver/schemes'\n\n${values.join('\n\n')}`,
    ),
  )
}

/** What people look for, where it is not the name of the service. */
const KNOWN_AS = {
  'adyen-platform': 'Adyen for Platforms',
  'aws-sns': 'Amazon SNS, SES',
  meta: 'Meta: WhatsApp, Instagram',
}

/** Each service once: the first that has its title. */
function named(group, list) {
  const all = [...list, ...tokensIn(group)].toReversed()
  return new Map(all.map(({ title, name }) => [title, name]))
}

function tokensIn(group) {
  return tokens.filter((token) => token.group === group)
}

/** What can be counted. */
export function proof() {
  const names = groups().flatMap(([group, list]) => [...named(group, list).values()])
  const isJudged = (name) =>
    tokens.some((token) => token.name === name) ||
    (byName.get(name).recorded.judge && !SDKS[name].isSample && !SDKS[name].isLast)
  const requests = services.flatMap(({ recorded }) => recorded.vectors)
  const items = [
    `[${names.length} services and formats](../../../docs/services/README.md)`,
    `[${names.filter(isJudged).length} tested against their SDK](../../../docs/evidence/README.md) every week`,
    `[${requests.length.toLocaleString('en')} recorded requests](../../../packages/conformance/schemes), valid and forged`,
    'No dependencies in the core',
  ]
  return items.map((item) => `- ${item}`).join('\n')
}

/** With a link to its page, in groups. */
export function serviceList() {
  const lists = groups().map(([group, list]) => {
    const links = [...named(group, list)]
      .sort(([a], [b]) => a.localeCompare(b, 'en'))
      .map(([title, name]) => `- [${KNOWN_AS[name] ?? title}](../../../docs/services/${name}.md)`)
    return `### ${group}\n\n${links.join('\n')}`
  })
  return lists.join('\n\n')
}
