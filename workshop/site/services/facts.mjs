// What is behind the server on a page: types, what the service does, its usual mistakes, and its SDK.
import { table } from '../../prove/table.mjs'
import { fence, folded, listed, lowercase, paragraphs, quoted, sentences } from './markdown.mjs'
import { lineOf } from './mistakes.mjs'
import { load } from './services.mjs'

const { nameOf } = await load('packages/cli/dist/add.js')
const { SDKS } = await load('workshop/prove/judges/sdks.mjs')

/** The site also says what the scheme was tested against, and how the names of the SDK are called here. */
export async function factsOf(service, isOnSite = false) {
  return paragraphs(
    typesOf(service),
    behaviour(service, isOnSite),
    await logged(service, isOnSite),
    shown(service),
    isOnSite && sdkOf(service),
  )
}

function typesOf(service) {
  const { title, file } = service
  const { types } = file
  if (!types) return ''
  return paragraphs(
    '## Types',
    `\`typed\` gives \`data\` the types of ${title}'s own package. With a [store](../handling.md), a copy isn't handled again:`,
    // The package of an SDK may be one that the application runs on.
    fence(
      'sh',
      `npm install ${types.package.endsWith('types') ? '--save-dev ' : ''}${types.package}`,
    ),
    fence(`ts needs=${types.package}`, typedRoute(service)),
  )
}

function typedRoute({ application, file: { variable, types } }) {
  const { code, handlers } = types
  const imports = "import { memoryStore, webhookHandler } from '@webhook-receiver/express'"
  const begin = code
    .slice(0, -1)
    .map((line) => line.replace(/^import .*schemes'$/, `${imports}\n$&`))
  const options = [
    `scheme: ${code.at(-1).replace('export const scheme = ', '')},`,
    'store: memoryStore(), // in several processes: Redis, PostgreSQL',
    ...(application.duplicates ? [`duplicates: '${application.duplicates}',`] : []),
  ]
  const block = (lines) => ['  {', ...lines.map((line) => `    ${line}`), '  },']
  return [
    ...begin,
    `const ${nameOf(application)} = webhookHandler(`,
    `  process.env.${variable},`,
    ...block(handlers),
    ...block(options),
    ')',
  ].join('\n')
}

function behaviour(service, isOnSite) {
  const { title, value, signed, headers, file, largest } = service
  const algorithms = value?.keys.map(({ algorithm }) => ALGORITHMS[algorithm])
  const mebibytes = Number((largest / 1_048_576).toFixed(1))
  const what = value
    ? `${listed(signed.map(partText))}, by ${algorithms.join(' or ')}, in ${headersText(headers, value.signature)}`
    : 'the fields of its messages, by RSA and a certificate'
  const items = [
    `Signs ${what}.`,
    value && placesOf(service),
    notSigned(service),
    `**Retries:** ${lowercase(file.retries)} ([source](${file.source}))`,
    /^Not \w+\.$/.test(file.order) ||
      `**Order:** ${lowercase(file.order).replace(/: (?=compare|fetch)/, ', so ')}`,
    value?.decision && NO_STORE,
    file.largest &&
      `${file.largest.why} ([source](${file.largest.source})), so [\`limit\`](../reference/options.md#limit) is ${mebibytes} MiB.`,
    isOnSite && `Tested against ${testedAgainst(service)}.`,
  ]
  const list = items.filter((item) => item && item !== true).map((item) => `- ${item}`)
  return `## What ${title} does\n\n${list.join('\n')}`
}

/** `npm run prove -- judges --latest` runs once a week, and has the newest SDK where there will be newer ones. */
function testedAgainst({ name, value, recorded: { judge, version, source, date } }) {
  const day = `on ${value?.checked ?? date}`
  if (!judge) return `[its published signatures](${source}) ${day}`
  const { isSample, isLast } = SDKS[name]
  if (isSample) {
    const [, repository, path] = /^([^/]+\/[^/]+)\/(.*)$/.exec(judge)
    return `[its sample code](https://github.com/${repository}/blob/${version}/${path}) ${day}`
  }
  if (isLast) return `\`${judge}\` ${version}, the last version, ${day}`
  return `\`${judge}\` ${version} ${day}, and its newest version every week`
}

export const ALGORITHMS = {
  'hmac-sha1': 'HMAC-SHA1',
  'hmac-sha256': 'HMAC-SHA256',
  'hmac-sha512': 'HMAC-SHA512',
  ed25519: 'Ed25519',
  'ecdsa-p256': 'ECDSA P-256',
  'rsa-sha256': 'RSA-SHA256',
}

function partText(part) {
  return PARTS[part] ?? quoted([part.text ?? part.header ?? part].flat(), 'or')
}

const PARTS = {
  url: 'the URL',
  form: 'the fields of the form',
  body: 'the body',
  timestamp: 'the timestamp',
}

/** Where the signature and the time are. */
function headersText(headers, { header: signature = [] }) {
  const found = headers.filter((name) => signature.includes(name) || /timestamp/.test(name))
  return found.length > 6 ? `\`${found[0]}\` to \`${found.at(-1)}\`` : quoted(found)
}

/** Where a delivery has its id and its event from. */
function placesOf({ hasId, hasEvent, value }) {
  return sentences(
    hasId && `\`delivery.id\` is ${placesText(value.id)}.`,
    hasEvent && `\`delivery.event\` is ${placesText(value.event)}.`,
  )
}

export function placesText(places) {
  const headers = places.flatMap(({ header = [] }) => header)
  const pointers = places.flatMap(({ pointer = [] }) => pointer)
  const inBody = pointers.map((pointer) => pointer.slice(1).replaceAll('/', '.'))
  const parts = [
    inBody.length > 0 && `the body's ${quoted(inBody, 'or')}`,
    headers.length > 0 && `the header ${quoted(headers, 'or')}`,
  ]
  return parts.filter(Boolean).join(', or ')
}

const NO_STORE =
  "**Duplicates:** don't pass a [store](../handling.md): a duplicate would get no reply, so `webhookHandler` throws a `TypeError`."

const AMBIGUOUS =
  'The id is an unsigned header. The fields are signed without separators: `Body=Hi&To=Ada` has the same signature as `Body=HiToAda`. So someone who has captured a request can change its fields and its event: check those that you rely on.'

/** What follows from what the signature does not cover; what a store does about it is where the first lines of the page lead to. */
function notSigned({ title, unsigned, ambiguous, tolerance, signsTime, decision }) {
  return sentences(
    ambiguous && AMBIGUOUS,
    unsigned.length > 0 &&
      !ambiguous &&
      `The ${listed(unsigned)} ${unsigned.length > 1 ? 'are' : 'is'} not signed: read what matters from \`data\`.`,
    tolerance === undefined &&
      (decision
        ? 'Without `tolerance`, a captured request stays valid forever.'
        : signsTime &&
          `The time is signed, and not checked: pass [\`tolerance\`](../reference/options.md#tolerance) once you know whether ${title} signs each retry again.`),
  )
}

/** The usual mistakes by what a server logs, which the site also shows in full. */
async function logged(service, isOnSite) {
  const lines = []
  const items = []
  for (const { mistake, fix, try: attempt } of mistakesOf(service)) {
    const line = await lineOf(service, attempt)
    lines.push(line)
    items.push(`- ${partOfLine(line)} **${mistake}.** ${fix}`)
  }
  return paragraphs(
    '## If it fails',
    'What your server logs, and the usual cause:',
    items.join('\n'),
    isOnSite && folded('These lines in full', fence('text', lines.join('\n\n'))),
    service.value
      ? 'Anything else: paste the request into the [debugger](../debugger.md).'
      : 'Anything else: [signature does not match](../diagnosis.md).',
  )
}

/** The reason, or what is wrong with the secret. */
function partOfLine(line) {
  const [, reason] = / https:\S+#(?:\S+\/)?(\w+)$/.exec(line) ?? []
  if (reason) return `[\`${reason}\`](../errors.md#${reason}):`
  const [, wrong] = /^TypeError: The secret of the endpoint "\S+" (.*?)[,:.] /.exec(line)
  return `\`${wrong}\`, at the start:`
}

/** The service's own, and that of a route below a parser that reads its requests. */
function mistakesOf({ file, application: { parser } }) {
  const type = file.headers?.['content-type'] ?? 'application/json'
  if (parser === 'json' && !type.startsWith('application/json')) return file.mistakes
  const above = {
    mistake: `\`express.${parser}()\` is above the route`,
    fix: '[Move it below](../guides/body-parsers.md).',
    try: { parser },
  }
  return [...file.mistakes, above]
}

/** Where a developer looks first, if the service has sent the request. */
function shown({ title, file: { shows } }) {
  if (!shows) return ''
  const rows = shows.map(({ shows: text, means }) => [`\`${text}\``, means])
  return `## What ${title} shows\n\n${table([`${title} shows`, 'because'], rows)}`
}

/** What a package accepts and we reject, by the probe of the doctor that finds it. What a reader would mind most is first. */
const ACCEPTED = {
  'forged-no-timestamp': 'a request without a timestamp',
  'time-stale': 'a timestamp of yesterday',
  'time-future': 'a timestamp in the future',
  'time-elsewhere': 'an old timestamp beside new ones in unsigned headers',
  'time-unreadable': 'an unreadable timestamp',
  'time-loose': 'letters after the timestamp',
  'forged-encoding': 'a signature in another encoding',
  'forged-upper-case': 'a signature in uppercase',
  'valid-rotation': 'two signatures of which one is valid',
  'altered-mark': 'a body with an added byte order mark',
  'altered-replacement': 'a body with invalid UTF-8 in place of the character �',
}

function acceptedBy({ package: name, accepts = [] }) {
  const unnamed = accepts.find((id) => !ACCEPTED[id])
  if (unnamed) throw new Error(`${unnamed} has no words in facts.mjs`)
  const parts = Object.keys(ACCEPTED).filter((id) => accepts.includes(id))
  const words = listed(parts.map((id) => ACCEPTED[id]))
  return words && ` It also rejects what \`${name}\` accepts: ${words}.`
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
