import { placesText } from '../services/facts.mjs'
import { actionOf } from '../services/opening.mjs'
import { services } from '../services/services.mjs'

/** The names of the files beside the skill. */
export function skill() {
  return services.map(({ name }) => `\`${name}\``).join(', ')
}

/** A file beside the skill that is not there yet. */
export function newSkillFile({ name, title, exported }) {
  return `# ${title}: \`${exported}\`

<!-- Written by \`npm run site:write\`: skillFile ${name} -->
<!-- end -->
`
}

/** What an assistant has to know of a service. */
export function skillFile(service) {
  const { name, file, exported, secret, value, signed, patience, success } = service
  const called = secret ? `, ${secret.called}` : ''
  const begins = secret?.begins ? `, which begins with ${secret.begins}` : ''
  const lines = [
    `secret: \`${file.variable}\`${called}${begins}. ${file.where}`,
    eventsOf(service),
    value?.id?.length > 0 && `\`id\` is ${placesText(value.id)}`,
    formOf(value),
    !value &&
      `\`import { ${exported} } from '@webhook-receiver/schemes/${name}'\`, and pass \`{ scheme: ${exported}() }\``,
    checksOf(value),
    file.reply && `the service waits for what the handler returns: \`return reply(${file.reply})\``,
    signed.includes('url') && 'pass `publicUrl`, the whole URL as it was registered',
    duplicatesOf(service),
    [
      success && success.status !== 204 && `gets ${success.status} for success`,
      patience && `waits ${patience} s`,
      retriesOf(file, value),
    ]
      .filter(Boolean)
      .join(', '),
    // The links are for the pages of the documentation.
    file.settings.join(' ').replaceAll(/\[([^\]]+)\]\((?:\.\.|#)[^)]*\)/g, '$1'),
    file.types && `types, for \`{ scheme }\`: \`${typesOf(file.types.code)}\``,
  ]
  return lines
    .filter(Boolean)
    .map((line) => `- ${line}`)
    .join('\n')
}

/** What is in `data` of a form. */
function formOf({ body = '', jsonField } = {}) {
  if (!body.includes('form')) return undefined
  return `the fields of a form are properties of \`data\`${jsonField ? `; of one with \`${jsonField}\`, those of the JSON in it` : ''}`
}

/** A service that checks its endpoint by another method than POST. */
function checksOf(value) {
  const method = value?.getCheck
    ? 'GET'
    : value?.headCheck
      ? 'HEAD'
      : value?.originCheck && 'OPTIONS'
  return (
    method &&
    `the same route also takes its check by ${method}: \`app.all\`, and in Next.js \`export const ${method} = POST\``
  )
}

/** Without events, the names of samples are only titles. */
function eventsOf(service) {
  const { file, hasEvent } = service
  if (!hasEvent)
    return 'no event names: write one function for all deliveries, and look into `data`'
  const names = Object.keys(file.samples).map((event) => `\`${event}\``)
  const action = actionOf(service)
  return `events such as ${names.join(', ')}${action ? `, and by action such as \`${action}\`` : ''}`
}

function duplicatesOf({ unsigned, hasId, value, file: { alike } }) {
  if (alike) return `pass no store: ${alike}`
  if (unsigned.includes('id'))
    return "a store needs `duplicates: 'body'`, or `'id'` where two deliveries may have the same body: the id is not signed"
  return !hasId && !value?.decision && "a store needs `duplicates: 'body'`: a delivery has no id"
}

function retriesOf({ retriesFor }, value) {
  if (value?.retries !== false) return false
  return retriesFor ? `retries ${retriesFor}` : 'does not retry'
}

/** On one line, so each statement but the first begins behind a semicolon. */
function typesOf(code) {
  return code
    .filter(Boolean)
    .join('\n')
    .replaceAll(/\n(?=\w)/g, '; ')
    .replaceAll(/\s+/g, ' ')
}
