import { fence, folded, listed, paragraphs } from './markdown.mjs'
import { own } from './services.mjs'
import { startOf } from './start-command.mjs'

/** A command that sends a delivery. The site shows what it sends. */
export function tryIt(service, isOnSite = false) {
  // A command would need the options of the scheme.
  if (service.application.isExample) return ''
  return paragraphs(
    '## Try it',
    service.sign ? trying(service, isOnSite) : saving(service, isOnSite),
  )
}

function trying(service, isOnSite) {
  const { file, event, hasEvent, application } = service
  const others = Object.entries(file.samples).slice(1)
  const named = others.map(([name, { title }]) => `\`${name}\`${title ? ` (${title})` : ''}`)
  return paragraphs(
    !isOnSite && starting(service),
    sending(service),
    `\`send\` ends with \`✓ accepted with ${application.status}\`.`,
    isOnSite && others.length > 0 && `\`send\` also knows ${listed(named)}.`,
    isOnSite &&
      file.samples[event] &&
      folded(`The body that it sends${hasEvent ? '' : ` (${event})`}`, sampleOf(service)),
    ownTools(service),
  )
}

/** The site starts the server above it, on each framework. */
function starting(service) {
  const { title, hasPair } = service
  const made = hasPair
    ? `Only ${title} has the key that signs. To try it without ${title}, make a pair of keys, and start the server with the public one:`
    : 'Start the server with a made-up secret:'
  return paragraphs(made, fence('sh', startOf('Express', service)))
}

/** From another terminal, where nothing is set. */
export function sending(service) {
  const { file, application, hasPair, signsUrl } = service
  const set = hasPair ? '' : `export ${file.variable}=${application.secret}\n`
  return paragraphs(
    `From a second terminal, ${hasPair ? 'in the same folder' : 'with the same secret'}:`,
    fence('sh', `${set}${sendCommand(service)}`),
    signsUrl && '`--public-url` is the `publicUrl` of the server: replace both with your own.',
  )
}

/** Sends the first sample of a service to a server on this machine. */
export function sendCommand({ name, path, event, signsUrl, hasPair }, more = '') {
  const argument = /^[\w./:-]+$/.test(event) ? event : `'${event}'`
  return inColumn([
    `npx webhook-receiver send ${argument}`,
    urlOf(path),
    name !== own.name && `--scheme ${name}`,
    hasPair ? `--secret-file ${name}.key` : '',
    signsUrl ? `--public-url https://example.com${path}` : '',
    more,
  ])
}

/** Nobody else can sign for this service. */
function saving(service, isOnSite) {
  const { name, path, file, event, title } = service
  const { title: about } = file.samples[event]
  return paragraphs(
    `Only ${title} can sign. Let [a tunnel](../guides/receive-locally.md#ngrok) lead to port 4000, start your server, and put \`listen\` in front of it, which saves what it forwards:`,
    fence(
      'sh',
      inColumn([
        'npx webhook-receiver listen',
        `--scheme ${name}`,
        `--forward ${urlOf(path)}`,
        '--save captures',
      ]),
    ),
    `Subscribe the URL of the tunnel with the path \`${path}\`: your server confirms it. Later, you can send a saved request again:`,
    fence('sh', `npx webhook-receiver replay captures ${urlOf(path)}`),
    ownTools(service),
    isOnSite &&
      `There are [samples](../../packages/schemes/services/${name}.json), without their signatures. One is \`${event}\`, ${about}.`,
    isOnSite && folded('Its body', sampleOf(service)),
  )
}

function urlOf(path) {
  return `localhost:3000${path}`
}

/** A command of which no line is wider than the column of the site. If it needs several, only a short first one has the URL. */
export function inColumn([command, ...others]) {
  const parts = others.filter(Boolean)
  const whole = [command, ...parts].join(' ')
  if (whole.length <= 74) return whole
  const lines = [command]
  for (const part of parts) {
    const line = `${lines.at(-1)} ${part}`
    // After it, there is room for ` \\`.
    if (line.length <= (lines.length > 1 ? 74 : 60)) lines[lines.length - 1] = line
    else lines.push(`  ${part}`)
  }
  return lines.join(' \\\n')
}

function ownTools({ title, file: { tools } }) {
  const lines = tools
    .map(({ run, note }) => `# ${note}\n${inColumn(run.split(/ (?=--)/))}`)
    .join('\n')
  return lines && `With ${title}'s own command:\n\n${fence('sh', lines)}`
}

/** As `send` makes one. */
export function idOf({ file: { idBegins } }) {
  const id = '5acec76a-0064-4d32-925c-793579ba897d'
  return idBegins ? idBegins + id.replaceAll('-', '') : id
}

/** The body, indented if it is JSON, and a field in each line if it is a form. */
function sampleOf(service) {
  const { scheme, event } = service
  const data = scheme.sample(event)
  const parts = {
    id: idOf(service),
    event,
    time: 1_795_392_000_000,
    url: 'https://example.com',
  }
  const body = scheme.compose?.(data, parts)
  const text = body ? new TextDecoder().decode(body) : JSON.stringify(data)
  return /^[[{]/.test(text)
    ? fence('json', JSON.stringify(JSON.parse(text), null, 2))
    : fence('text', text.replaceAll('&', '\n&'))
}
