import { readdirSync } from 'node:fs'
import { ROOT, read } from '../sources.mjs'

/** Where the types of callbacks are. */
const SOURCES = 'packages/core/src/'
const CORE = readdirSync(ROOT + SOURCES, { recursive: true })
  .filter((file) => file.endsWith('.ts'))
  .map((file) => read(SOURCES + file))
  .join('\n')

const OPTION =
  /\/\*\*((?:(?!\*\/).)*)\*\/\s*readonly (\w+)(\??):(.*?)(?=\n {2}(?:\/\*\*|readonly)|$)/gs

/**
 * The options of interfaces in a source file, from their docblocks: each with its type and default, what it does, and a line of code. Those
 * that the page has already are left out: `-now`.
 */
export function optionList(file, ...names) {
  const source = read(file)
  const entries = names
    .filter((name) => !name.startsWith('-'))
    .flatMap((name) => {
      const body = new RegExp(`interface ${name}\\b[^{]*{(.*?)\\n}`, 's').exec(source)?.[1] ?? ''
      const options = [...body.matchAll(OPTION)]
      if (options.length === 0) throw new Error(`${file} has no interface ${name} with docblocks.`)
      return options.filter(([, , option]) => !names.includes(`-${option}`)).map(entryOf)
    })
  return entries.join('\n\n')
}

function entryOf([, comment, name, optional, type]) {
  const lines = comment.replaceAll(/\s*\n\s*\*(?! -) ?/g, ' ').replaceAll(/\s*\n\s*\* -/g, '\n-')
  const [told, example = ''] = lines.replaceAll(/[^\S\n]+/g, ' ').split('@example')
  const [text, preset = ''] = told.split('@default')
  const code = example && `\n\n${inCode(example.trim())}`
  // A list needs an empty line above it.
  const said = shortened(text.trim()).replace('\n-', '\n\n-')
  const fallback = optional ? presetOf(preset.trim(), /\bin seconds\b/.test(told)) : ' · required'
  return `### \`${name}\`\n\n\`${plain(type)}\`${bounds(text)}${fallback}\n\n${said}${code}`
}

function presetOf(preset, isDuration) {
  if (['', 'none'].includes(preset)) return ''
  if (preset === 'the default format') return ` · without it, ${preset}`
  const [short] = preset.split(/(?<!\[[^\]]*)[;,:] | \(/, 1)
  if (short === 'none') return ` · default ${shortened(preset)}`
  const readable = isDuration ? durationOf(short) : shown(short)
  return ` · default ${readable}${shortened(preset.slice(short.length))}`
}

/** What a number or a text has to be, which its type does not say. */
function bounds(text) {
  const [, what = ''] = /\bAnything but ([^.]*(?:\.\d[^.]*)*?),? is a TypeError/.exec(text) ?? []
  const named = what.replaceAll(/\s+/g, ' ').replace(/^a (?:number|string that) |,$/g, '')
  const isSaid = !/^(?:above|from|a whole|begins|\d|letters)/.test(named)
  return isSaid ? '' : `: ${named}`
}

/** What holds for every option or hook is said once on the page, and what is allowed beside the type. */
function shortened(text) {
  return (
    sized(text)
      .replace(
        / ?Any(?:thing| other value)\b[^.]*(?:\.\d[^.]*)*? is a TypeError(?:, and so is ([^.]*))?\./g,
        (_, also) => (also ? ` ${also[0].toUpperCase()}${also.slice(1)} is a TypeError, too.` : ''),
      )
      .replace(/, in seconds(?=[.;])/, '')
      // A URL would become a link.
      .replaceAll(/(?<= )'(\S+?)'(?=[ ;,.])/g, "`'$1'`")
      .replace(
        / If (?:it|the hook) throws an error(?: itself)?, the response does not change\.$/,
        '',
      )
      .trim()
  )
}

function inCode(text) {
  return text.includes('`') ? `\`\` ${text} \`\`` : `\`${text}\``
}

/** Seconds as people read them: `259_200` are 3 days. */
function durationOf(text) {
  const seconds = Number(text.replaceAll('_', ''))
  const units = { days: 86_400, hours: 3600, minutes: 60 }
  const [unit, size] = Object.entries(units).find(([, each]) => seconds >= 2 * each) ?? []
  if (!size || seconds % size !== 0) return shown(text)
  return `${seconds / size} ${unit} (\`${text}\`)`
}

/** A value, not a sentence. */
function shown(text) {
  const isValue = /^(?:\S+|'.*'|\[.*\])$/.test(text) && !text.includes('`')
  const size = sized(text)
  return isValue && size === text ? `\`${text}\`` : size
}

/** Sizes of whole mebibytes, as people read them. */
function sized(text) {
  return text.replaceAll(/\d{1,3}(?:_\d{3})+/g, (number) => {
    const mebibytes = Number(number.replaceAll('_', '')) / 1_048_576
    return Number.isInteger(mebibytes) ? `${mebibytes} MiB (\`${number}\`)` : `\`${number}\``
  })
}

/** A type as a reader thinks of it, without what only the compiler needs. */
function plain(type) {
  const text = type.replaceAll(/\s+/g, ' ').replaceAll('readonly ', '')
  const callback = /\(\(([^()]*)\) => ([\w<>]+(?: \| \w+)*)\)/.exec(text)
  if (text.includes('{') && !callback) return 'object'
  const kept = callback ? text.replace(callback[0], 'Callback') : text
  return (
    kept
      .replaceAll(/<(?:[^<>]|<[^<>]*>)*>/g, '')
      .split('|')
      .map((part) => part.replace(/<.*/, '').trim())
      .filter((part) => part !== '' && part !== 'undefined')
      .map((part) => (part === 'Callback' ? signatureOf(callback) : (NAMES[part] ?? hookOf(part))))
      // A callback last: what follows it would be read as its result.
      .sort((one, other) => one.includes('=>') - other.includes('=>'))
      .join(' | ')
  )
}

/** A callback with the names of its parameters, without their types. */
function signatureOf([, parameters, result]) {
  const names = parameters.replaceAll(/<.*>/g, '').replaceAll(/\??: [^,]+/g, '')
  return `(${names.replace(/,? $/, '').trim()}) => ${result.replace(' | undefined', '')}`
}

/** A hook with what it receives; another type as it is called. */
function hookOf(name) {
  if (!name.endsWith('Hook')) return name
  const [, received] = new RegExp(`type ${name} = \\(\\w+: (\\w+)\\) =>`).exec(CORE) ?? []
  if (!received) return name
  const names = propertiesOf(received)
  const shown = names.length > 4 ? [...names.slice(0, 3), '…'] : names
  return `({ ${shown.join(', ')} }) => unknown`
}

function propertiesOf(name) {
  const [, base, body] = new RegExp(`interface ${name}(?: extends (\\w+))? {(.*?)\\n}`, 's').exec(
    CORE,
  )
  const names = Array.from(body.matchAll(/^ {2}readonly (\w+)/gm), ([, property]) => property)
  return [...names, ...(base ? propertiesOf(base) : [])]
}

/** What names of types stand for. */
const NAMES = {
  '(HeaderPlace': '({ header }',
  'PointerPlace)[]': '{ pointer })[]',
  'Pick[]': '{ pointer }[]',
  Readonly: 'object',
  AcceptedReplies: 'object',
  Algorithm:
    "'hmac-sha1' | 'hmac-sha256' | 'hmac-sha512' | 'ed25519' | 'ecdsa-p256' | 'rsa-sha256'",
  BodyDigest: 'object',
  Diagnose: 'typeof diagnose',
  ErrorHook: '(error, { delivery, request }) => unknown',
  Encoding: "'hex' | 'base64' | 'base64url'",
  Duplicates: "'id' | 'body' | (delivery, { key }) => string",
  ExpectSecret: '({ token, secret }) => boolean | Promise<boolean>',
  'ExtraEvent[]': 'string[]',
  GetCheck: 'object',
  Given: 'Scheme',
  'HandshakeForm[]': 'object[]',
  'OtherRequest[]': 'object[]',
  "HandlingOptions['onIgnored']": 'false | ({ event, id, key, … }) => unknown',
  Place: '{ header } | { field } | { pointer }',
  RequestFacts: 'object',
  Schemas: 'object',
  SecretFacts: 'object',
  SignaturePlace: 'object',
  TimestampForm: 'object',
  TimestampFormat: "'unix-seconds' | 'unix-milliseconds' | 'rfc3339' | 'http-date'",
  '[KeyForm, ...(KeyForm[])]': 'object[]',
  '[Part, ...(Part[])]': "('timestamp' | 'url' | 'body' | 'form' | { header } | { text })[]",
  PublicUrl: 'string | (request) => string',
  Query: '(text, values, name) => Promise<{ rows }>',
  SendCommand: '(command, key) => Promise<unknown>',
  WebhookHandlers: 'function | object',
  UpdateItem: '(input) => Promise<unknown>',
}
