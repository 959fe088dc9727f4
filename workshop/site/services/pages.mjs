import { readFileSync } from 'node:fs'
import { inspect } from 'node:util'
import { table } from '../reference/table.mjs'
import { lineOf } from './mistakes.mjs'
import { load, services } from './services.mjs'

const { SDKS } = await load('workshop/prove/judges/sdks.mjs')
const { BODIES } = await load('workshop/prove/judges/event-types.mjs')
const probes = new URL('../../../packages/cli/src/doctor/probes.json', import.meta.url)
const unjudged = new URL('../../../packages/schemes/unjudged.json', import.meta.url)
const UNJUDGED = JSON.parse(readFileSync(unjudged, 'utf8'))
const PROBES = Object.assign({}, ...Object.values(JSON.parse(readFileSync(probes, 'utf8'))))

/** A page that is not there yet. What is written by hand goes between its blocks. */
export function newPage({ name, file: { title } }) {
  const block = (kind) =>
    `<!-- Written by \`npm run site:write\`: ${kind} ${name} -->\n<!-- end -->\n`
  return `# ${title} webhooks

${block('secret')}
## Server

${block('server')}
${block('service')}`
}

/** What it does for the reader, the facts, and where the secret is. */
export function secretOf(service) {
  const { file, exported, secret, title, value } = service
  const documentation = value?.documentation ?? file.documentation
  return paragraphs(
    opening(service),
    strip(service),
    '## Secret',
    sentences(
      file.where,
      shapeOf(secret),
      `The route reads it from \`${file.variable}\`, and passes \`${exported}\` as the scheme. [How ${title} signs](${documentation})`,
    ),
    file.settings.map((text) => `- ${text}`).join('\n'),
  )
}

function opening(service) {
  const { file, title, hasId, hasEvent, event, unsigned, value } = service
  const action = actionOf(service)
  const parts = ['scheme', hasId && 'id', hasEvent && 'event', action && 'action', 'data']
    .filter(Boolean)
    .join(', ')
  const what = hasEvent ? `${title} events such as \`${event}\`` : `${title} webhooks`
  const isOnce = hasId && !unsigned.includes('id') && !value?.decision
  const [, call] = /(\w+)\(/.exec(file.sdk?.verifies ?? '') ?? []
  const needless = call
    ? `so you need neither \`express.raw()\` nor \`${call}\` of \`${file.sdk.package}\``
    : "so you don't need `express.raw()`"
  const once = isOnce ? ', and with a [store](../handling.md) each is handled once' : ''
  const types = file.types
    ? ', with [the types](#types) of the SDK'
    : ', untyped until you add a [schema](../guides/types.md)'
  return paragraphs(
    `One route receives ${what}, for ${listed(file.words)}. It reads the body and checks the signature itself, ${needless}${once}.`,
    `Your handler gets \`{ ${parts} }\`, where \`data\` is the whole body${types}.${action ? ` A function can be for [one action](../guides/schemes.md#events-with-actions), such as \`'${action}'\`.` : ''}`,
  )
}

/** What differs between services, in one line. */
function strip(service) {
  const { unsigned, tolerance, value, patience, file } = service
  const isAll = isAllSigned(service)
  const isKept = file.order.startsWith('Not guaranteed') ? ' ✗' : ''
  const order =
    isKept || (file.order.startsWith('Not documented') ? ' not documented' : ' see below')
  const retries = { true: ' ✓', false: ' ✗' }[value?.retries] ?? ' see below'
  const facts = [
    [
      'signed',
      isAll || unsigned.length === 0 ? ' everything ✓' : ` not the ${listed(unsigned, 'or')} ✗`,
    ],
    ['replay window', tolerance === undefined ? ' none ✗' : ` ${durationOf(tolerance)} ✓`],
    ['retries', retries],
    ['order', order],
    ['waits', patience === undefined ? ' not documented' : ` ${patience} seconds`],
  ]
  return facts.map(([name, text]) => `**${name}**${text}`).join(' · ')
}

/** How the secret begins, and what people paste in its place. */
function shapeOf(secret) {
  const begins = Object.entries(secret?.mistaken ?? {})
  const others = [...new Set(begins.map(([, what]) => what))].map((what) => {
    const alike = begins.filter(([, each]) => each === what).map(([begin]) => `\`${begin}…\``)
    return `${listed(alike, 'or')} (${what})`
  })
  return sentences(
    secret?.begins && `The secret begins with \`${secret.begins}…\`.`,
    others.length > 0 && `Don't pass ${listed(others, 'or')}.`,
  )
}

/** All behind the server. The site shows what each mistake logs, and how the names of the SDK are called here. */
export async function serviceText(service, isOnSite = false) {
  return paragraphs(
    typesOf(service),
    behaviour(service),
    isOnSite ? await logged(service) : mistakes(service),
    shown(service),
    isOnSite && sdkOf(service),
  )
}

/** The first event with an action among the samples, where the service has actions. */
function actionOf({ file: { samples }, scheme }) {
  for (const [event, { body }] of Object.entries(samples)) {
    const action = scheme.actionOf?.(body)
    if (action) return `${event}.${action}`
  }
  return undefined
}

export function serviceIndex() {
  const rows = services
    .toSorted((a, b) => a.file.title.localeCompare(b.file.title, 'en'))
    .map(({ name, file, exported, signed, unsigned, tolerance, value }) => [
      `[${file.title}](${name}.md)`,
      `\`${exported}\``,
      signed.length === 0 || !unsigned.includes('id') ? 'all' : `not the ${listed(unsigned, 'or')}`,
      durationOf(tolerance).replace(' ', '&nbsp;'),
      { true: 'yes', false: '**no**' }[value?.retries] ?? 'see its page',
    ])
  return table(['service', 'import', 'signed', 'replay window', 'retries'], rows)
}

/** What was looked up of each service besides its signature, where that was read, and when. */
export function serviceFacts() {
  const rows = services
    .toSorted((a, b) => a.file.title.localeCompare(b.file.title, 'en'))
    .map((service) => [
      `[${service.file.title}](${service.value?.documentation ?? service.file.documentation})`,
      largestOf(service),
      ...placesOf(service),
      BODIES[service.name] ? 'yes' : 'no',
      repliesOf(service),
      urlOf(service),
      othersOf(service),
      service.value?.checked ?? service.recorded.date,
    ])
  const head = ['service', 'largest body', 'id', 'event', 'types', 'replies', 'URL']
  return table([...head, 'other secrets', 'read'], rows)
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

function largestOf({ largest, file }) {
  if (largest === undefined) return '–'
  const size = `${Number((largest / 1_048_576).toFixed(1))} MiB`
  return file.largest ? `[${size}](${file.largest.source})` : size
}

/** Where the id and the event are. Those of Amazon SNS are in no value. */
function placesOf({ value, hasId, hasEvent }) {
  if (!value) return [hasId && '`/MessageId`', hasEvent && '`/Type`']
  return [value.id, value.event].map(
    (places = []) =>
      listed(
        places
          .flatMap(({ pointer, header }) => [pointer ?? header].flat())
          .map((at) => `\`${at}\``),
        'or',
      ) || '–',
  )
}

function repliesOf({ replies }) {
  if (!replies) return '–'
  const statuses = Object.entries(replies.statuses)
  return listed(
    statuses.map(([status, types]) => [status, listed(types, 'or')].filter(Boolean).join(' with ')),
  )
}

function urlOf({ signsUrl, value }) {
  if (!signsUrl) return '–'
  if (value.urlSpellings) return 'in the spellings that its SDK tries'
  return value.urlDecoded ? `with \`${value.urlDecoded}\` decoded` : 'as registered'
}

function othersOf({ secret = {}, requests = {} }) {
  const others = (requests.others ?? []).map(({ is }) => is)
  return [...new Set([secret.several, ...others])].filter(Boolean).join('; ') || '–'
}

/** Each service once, with a link to its page. */
export function serviceList() {
  const names = new Map(services.toReversed().map(({ title, name }) => [title, name]))
  return [...names]
    .sort(([a], [b]) => a.localeCompare(b, 'en'))
    .map(([title, name]) => `- [${title}](../../../docs/services/${name}.md)`)
    .join('\n')
}

/** A command that sends a delivery. The site shows what it sends. */
export function tryIt(service, isOnSite = false) {
  const { name, path, file, event, sign, signsUrl, hasEvent, title, tolerance, hasPair } = service
  const url = `http://localhost:3000${path}`
  const given = `--scheme ${name}`
  const sample = sampleOf(service)
  const shown = isOnSite && fence(/^[[{]/.test(sample) ? 'json' : 'text', sample)
  const tools = file.tools.map(({ run, note }) => `# ${note}\n${run}`).join('\n')
  const own = isOnSite && tools && `With ${title}'s own command:\n\n${fence('sh', tools)}`
  if (!sign) {
    const { title: about } = file.samples[event]
    const named = hasEvent ? `\`${event}\`${about ? `, ${about}` : ''}` : `a request (${event})`
    const time = tolerance === undefined ? '' : `, for ${durationOf(tolerance)}`
    return paragraphs(
      '## Try it',
      `Only ${title} can sign, with a private key. Save a request that it sends, and send it to your server as often as you like${time}:`,
      fence(
        'sh',
        `npx webhook-receiver listen --port 4000 ${given} --save captures\nnpx webhook-receiver replay captures ${url}`,
      ),
      own,
      isOnSite &&
        `This is ${named}, without its signature; there are [others](../../packages/schemes/services/${name}.json):`,
      shown,
    )
  }
  const argument = /^[\w./:-]+$/.test(event) ? event : `'${event}'`
  const publicUrl = signsUrl ? ` \\\n  --public-url https://example.com${path}` : ''
  const others = Object.keys(file.samples).slice(1)
  const signing = hasPair ? `--scheme ${name} --secret-file ${name}.key` : given
  const keys = hasPair && [
    `Only ${title} has the key that signs. Until it sends something, make a pair of your own, and start your server with its public key:`,
    fence('sh', `npx webhook-receiver keys ${name}\nexport ${file.variable}="$(cat ${name}.pub)"`),
    'Send it an event from another terminal:',
  ]
  return paragraphs(
    '## Try it',
    ...(keys || [
      `Start your server, and send it an event from another terminal, with the same \`${file.variable}\`:`,
    ]),
    fence('sh', `npx webhook-receiver send ${argument} ${url} \\\n  ${signing}${publicUrl}`),
    isOnSite &&
      `This is what it sends${hasEvent ? '' : ` (${event})`}. It also knows ${listed(others.map((each) => `\`${each}\``))}.`,
    shown,
    own,
  )
}

/** The body, indented if it is JSON, and a field in each line if it is a form. */
function sampleOf({ scheme, event }) {
  const data = scheme.sample(event)
  const parts = {
    id: '00000000-0000-4000-8000-000000000000',
    event,
    time: 1_795_392_000_000,
    url: 'https://example.com',
  }
  const body = scheme.compose?.(data, parts)
  const text = body ? new TextDecoder().decode(body) : JSON.stringify(data)
  return /^[[{]/.test(text)
    ? JSON.stringify(JSON.parse(text), null, 2)
    : text.replaceAll('&', '\n&')
}

function statusOf({ success, file }) {
  return file.reply ? 200 : (success?.status ?? 204)
}

function typesOf({ file: { types }, title }) {
  if (!types) return ''
  return paragraphs(
    '## Types',
    `\`typed\` gives \`data\` the types of ${title}'s own package. A [schema](../guides/types.md) checks it at runtime, too.`,
    fence(`ts needs=${types.package}`, types.code.join('\n')),
  )
}

function behaviour(service) {
  const { title, value, signed, headers, file, largest } = service
  const algorithms = value?.keys.map(({ algorithm }) => ALGORITHMS[algorithm])
  const mebibytes = Number((largest / 1_048_576).toFixed(1))
  const what = value
    ? `${listed(signed.map(partText))}, by ${algorithms.join(' or ')}`
    : 'the fields of its messages, by RSA and a certificate'
  const items = [
    `Signs ${what}: ${listed(headers.map((header) => `\`${header}\``))}.`,
    notSigned(service),
    `**Retries:** ${lowercase(file.retries)} ([source](${file.source}))`,
    /^Not \w+\.$/.test(file.order) ||
      `**Order:** ${lowercase(file.order).replace(/: (?=compare|fetch)/, ', so ')}`,
    `Your server responds with ${file.reply ? 'what your handler replies' : statusOf(service)}.`,
    file.largest &&
      `${file.largest.why} ([source](${file.largest.source})): [\`limit\`](../reference/options.md#limit) is ${mebibytes} MiB.`,
    `Tested against ${testedAgainst(service)}.`,
  ]
  const list = items.filter((item) => item && item !== true).map((item) => `- ${item}`)
  return `## What ${title} does\n\n${list.join('\n')}`
}

function lowercase(text) {
  return text.replace(/^[A-Z](?=[a-z\s])/, (letter) => letter.toLowerCase())
}

/** `npm run prove -- judges --latest` runs once a week, and has the newest SDK where there will be newer ones. */
function testedAgainst({ name, value, recorded: { judge, version, source, date } }) {
  const day = `on ${value?.checked ?? date}`
  if (!judge) return `[its published signatures](${source}), ${day}`
  const { sample } = SDKS[name]
  if (sample) {
    const { repository, commit, path } = sample
    return `[its sample code](https://github.com/${repository}/blob/${commit}/${path}), ${day}`
  }
  if (SDKS[name].isLast) return `\`${judge}\` ${version}, the last version, ${day}`
  return `\`${judge}\` ${version}, ${day}, and its newest version every week`
}

const ALGORITHMS = {
  'hmac-sha1': 'HMAC-SHA1',
  'hmac-sha256': 'HMAC-SHA256',
  'hmac-sha512': 'HMAC-SHA512',
  ed25519: 'Ed25519',
  'ecdsa-p256': 'ECDSA P-256',
  'rsa-sha256': 'RSA-SHA256',
}

function partText(part) {
  const names = [part.text ?? part.header ?? part].flat()
  return (
    PARTS[part] ??
    listed(
      names.map((name) => `\`${name}\``),
      'or',
    )
  )
}

const PARTS = {
  url: 'the URL',
  form: 'the fields of the form',
  body: 'the body',
  timestamp: 'the timestamp',
}

function isAllSigned({ unsigned, ambiguous, tolerance }) {
  return unsigned.length === 0 && !ambiguous && tolerance !== undefined
}

/** What follows from what the signature does not cover. */
function notSigned({ unsigned, ambiguous, tolerance, decision, hasId }) {
  const isRecognised = hasId && !unsigned.includes('id')
  const once = isRecognised
    ? ''
    : ', once you tell it what [`duplicates`](../guides/schemes.md#duplicates) are'
  return sentences(
    unsigned.length > 0 &&
      `The ${listed(unsigned)} ${unsigned.length > 1 ? 'are' : 'is'} not signed: someone who has captured one request can send its content under another ${listed(unsigned, 'or')}. Take what matters from \`data\`.`,
    ambiguous &&
      'Names and values of a form are signed without anything in between, so two different forms can have the same signature: check the fields that you rely on.',
    tolerance === undefined && 'No time is checked, so a captured request stays valid forever.',
    !decision &&
      (!isRecognised || tolerance === undefined) &&
      `Only a [store](../reference/stores.md) recognises a copy${once}.`,
  )
}

function mistakes({ file }) {
  const rows = file.mistakes.map(({ mistake, fix }) => [mistake, fix ?? ''])
  return rows.length > 0 && `## If it fails\n\n${table(['mistake', 'what to do'], rows)}`
}

/** The mistakes with what a server logs. */
async function logged(service) {
  const { file } = service
  const unset = {
    mistake: `\`${file.variable}\` is not set where the server runs`,
    try: { start: undefined },
  }
  const parts = []
  // The secret of a subscription is asked for with each request.
  const all = service.value?.subscription ? file.mistakes : [unset, ...file.mistakes]
  for (const { mistake, fix, try: attempt } of all) {
    const line = await lineOf(service, attempt)
    const [, reason] = / https:\S+#\S+\/(\w+)$/.exec(line) ?? []
    const more = fix && reason && `([\`${reason}\`](../errors.md#${reason}))`
    // As a narrow terminal shows it.
    const wrapped = line.replace(/(.{1,66})(?: +|$)/g, '$1\n  ').trim()
    parts.push(sentences(`**${mistake}.**`, fix, more), fence('text', wrapped))
  }
  return paragraphs(
    '## If it fails',
    'The usual mistakes, and what your server logs:',
    ...parts,
    'Anything else: [body already read](../errors.md#body_already_read), [signature does not match](../guides/signature-does-not-match.md).',
  )
}

/** Where a developer looks first, if the service has sent the request. */
function shown({ title, file: { shows } }) {
  if (!shows) return ''
  const rows = shows.map(({ shows: text, means }) => [`\`${text}\``, means])
  return `## What ${title} shows\n\n${table([`${title} shows`, 'because'], rows)}`
}

/** What the package accepts, and we reject. */
function acceptedBy({ package: name, accepts = [] }) {
  const sends = accepts.map((id) => PROBES[id][0])
  return sends.length > 0
    ? ` What \`${name}\` accepts, and \`webhookHandler\` rejects: ${sends.join('; ')}.`
    : ''
}

function sdkOf({ file: { sdk } }) {
  if (!sdk) return ''
  const rows = Object.entries(sdk.names).map(([there, here]) => [`\`${there}\``, here])
  return paragraphs(
    `## Coming from \`${sdk.package}\``,
    `Instead of \`${sdk.verifies}\`, \`webhookHandler\` reads the body, verifies it and responds.${acceptedBy(sdk)}`,
    table([`\`${sdk.package}\``, 'here'], rows),
  )
}

function durationOf(seconds) {
  if (seconds === undefined) return 'none'
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

function paragraphs(...texts) {
  return texts.filter(Boolean).join('\n\n')
}

function sentences(...texts) {
  return texts.filter(Boolean).join(' ')
}
