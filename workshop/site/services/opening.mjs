// What is around the server on a page: what the library does for the reader, what differs between services, and where the secret is.
import { durationOf, listed, lowercase, paragraphs, quoted, sentences } from './markdown.mjs'

export function opening(service) {
  return paragraphs(promise(service), strip(service))
}

/** Where the real secret is. */
export function secretPart(service) {
  return paragraphs(`## ${secretHeading(service)}`, secretOf(service))
}

function promise(service) {
  const { file, title, hasId, hasEvent, event, value, ambiguous } = service
  const action = actionOf(service)
  const names = ['scheme', hasId && 'id', hasEvent && 'event', action && 'action', 'data']
  const sent = /(?:events|interactions|webhooks)$/i.test(file.title)
    ? file.title
    : `${title} ${hasEvent ? 'events' : 'webhooks'}`
  const about = file.samples[event].title
  const isNamed = hasEvent && !/^\d+$/.test(event)
  const what = isNamed
    ? `${sent} such as ${about ? `${about} (\`${event}\`)` : `\`${event}\``}`
    : sent
  // A form that is signed by its fields, and the text of Amazon SNS, are parsed anyway.
  const raw = value && !ambiguous && 'raw-body parser'
  const call = file.sdk && callOf(file.sdk)
  const needless = [call, call && raw].filter(Boolean)
  return paragraphs(
    `Receive and verify ${what} in one route, for ${listed(file.words)}.${needless.length > 0 ? ` You need no ${needless.join(' and no ')}.` : ''}`,
    sentences(
      `Your handler gets \`{ ${names.filter(Boolean).join(', ')} }\`: \`data\` is the whole body, ${typesIn(file)}.`,
      handledOnce(service),
      file.storeless,
      value?.subscription && 'Each subscription has its own secret.',
    ),
  )
}

/** What verifies in the SDK, as people know it: `stripe.webhooks.constructEvent`. What is constructed or started does more. */
function callOf({ verifies, package: name }) {
  const [, call] = /([\w.]+)\(/.exec(verifies)
  if (/^new |start\(|create/.test(verifies)) return ''
  return call.startsWith(`${name}.`) ? `\`${call}\`` : `\`${call}\` of \`${name}\``
}

/** A copy of a delivery is recognised by what is signed. */
function handledOnce({ hasId, unsigned, value, application, file: { alike } }) {
  if (alike) return `Don't pass a [store](../handling.md): ${alike}.`
  if (value?.decision) return ''
  const isRecognised = hasId && !unsigned.includes('id')
  const option = `duplicates${application.duplicates ? `: '${application.duplicates}'` : ''}`
  const more = isRecognised ? '' : ` and [\`${option}\`](../guides/schemes.md#duplicates)`
  return `With a [store](../handling.md)${more}, a copy isn't handled again.`
}

function typesIn({ types }) {
  return types
    ? 'with [its types](#types)'
    : 'untyped until you add [types or a schema](../guides/types.md)'
}

/** It retries, and does not say how often or for how long. */
export const UNLIMITED = 'yes, limit not documented'

/** What differs between services. */
function strip(service) {
  const { title, unsigned, ambiguous, tolerance, value, patience, file } = service
  const all = unsigned.length === 0 ? kept('everything') : ''
  const joined =
    ambiguous && leftToYou('the URL and the joined fields', `#what-${title.toLowerCase()}-does`)
  return factLine(title, {
    signed: all || joined || leftToYou(`all but the ${listed(unsigned)}`, REMEDIES.unsigned),
    'replay window': tolerance === undefined ? noWindow(service) : kept(durationOf(tolerance)),
    retries:
      (file.retriesFor && (value?.retries ? kept(file.retriesFor) : file.retriesFor)) ??
      {
        true: kept(UNLIMITED),
        false: value?.decision ? 'none' : leftToYou('none', REMEDIES.retries),
      }[value?.retries] ??
      'not documented',
    order: orderOf(file),
    waits:
      patience === undefined
        ? (file.waits ?? 'not documented')
        : `${patience} ${patience === 1 ? 'second' : 'seconds'}`,
    response: file.reply ? 'your reply' : statusOf(service),
  })
}

/** Without a time, only a store recognises a copy. */
function noWindow({ hasId, unsigned, signsTime }) {
  if (signsTime) return leftToYou('none without `tolerance`', '../reference/options.md#tolerance')
  const isRecognised = hasId && !unsigned.includes('id')
  return leftToYou('none', isRecognised ? REMEDIES.window : REMEDIES.unsigned)
}

/** Where a page says what to do about what a service does not do. */
export const REMEDIES = {
  unsigned: '../guides/schemes.md#duplicates',
  window: '../handling.md',
  retries: '../guides/inbox.md',
  order: '../guides/order.md',
}

/** On one line; the site shows the facts beside each other. */
export function factLine(title, facts) {
  const known = Object.entries(facts).filter(([, text]) => text)
  const line = known.map(([name, text]) => `**${name}** ${text}`).join(' · ')
  const about = line.includes('✗') ? '; each ✗ links to a remedy' : ''
  return `Guarantees of ${title}${about}:\n\n${line}`
}

/** What nobody has to do something about. */
export function kept(text) {
  return `${text} ✓`
}

function orderOf({ order }) {
  if (order.startsWith('Not guaranteed')) return leftToYou('not guaranteed', REMEDIES.order)
  if (order.startsWith('Not documented')) return 'not documented'
  return order.includes('stands alone') ? 'none: each stands alone' : 'see below'
}

/** What a reader has to do something about, with a link to what that is. */
export function leftToYou(text, remedy) {
  return `[${text} ✗](${remedy})`
}

export function statusOf({ success }) {
  return success?.status ?? 204
}

/** Amazon SNS signs with certificates, of which there is no value. */
export function secretHeading({ value, hasPair }) {
  if (!value) return 'Topic ARN'
  return hasPair ? 'Public key' : 'Secret'
}

function secretOf(service) {
  const { file, secret, title, value } = service
  const documentation = value?.documentation ?? file.documentation
  return paragraphs(
    sentences(
      file.where,
      `Set the ${lowercase(secretHeading(service))} as \`${file.variable}\`. [How ${title} signs](${documentation})`,
    ),
    shapeOf(secret),
    file.settings.map((text) => `- ${text}`).join('\n'),
  )
}

/** How the secret begins, and what people paste instead of it. */
function shapeOf({ begins, called, mistaken = {} } = {}) {
  const beginnings = Object.entries(mistaken)
  const others = [...new Set(beginnings.map(([, what]) => what))].map((what) => {
    const alike = beginnings.filter(([, each]) => each === what).map(([begin]) => `${begin}…`)
    return `✗ ${quoted(alike, 'or')} ${what}`
  })
  return [begins && `✓ \`${begins}…\` ${called}`, ...others].filter(Boolean).join(' · ')
}

/** The first event with an action among the samples, where the service has actions. */
export function actionOf({ file: { samples }, scheme }) {
  for (const [event, { body }] of Object.entries(samples)) {
    const action = scheme.actionOf?.(body)
    if (action) return `${event}.${action}`
  }
  return undefined
}
