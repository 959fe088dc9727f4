import { rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'

/**
 * What the SDKs call the bodies of their services: a type, or those that a module exports under such names; and which have no event. Whatever is not here has no
 * such types, as Retell, Twilio and Zendesk have not, or has nothing in its bodies to look for.
 */
const BODIES = {
  anthropic: "ReturnType<import('@anthropic-ai/sdk').Anthropic['beta']['webhooks']['unwrap']>",
  clerk: "import('@clerk/backend/webhooks').WebhookEvent",
  linear: "import('@linear/sdk/webhooks').LinearWebhookPayload",
  meta: "import('./node_modules/whatsapp/build/types/webhooks').WebhookObject",
  mux: "Awaited<ReturnType<import('@mux/mux-node').Mux['webhooks']['unwrap']>>",
  notion: {
    module: './node_modules/@notionhq/client/build/src/api-endpoints/webhooks',
    names: /^(?!Base).*WebhookPayload$/,
  },
  openai: "Awaited<ReturnType<import('openai').OpenAI['webhooks']['unwrap']>>",
  paddle:
    "import('./node_modules/@paddle/paddle-node-sdk/dist/types/types/events/events-response').IEvents",
  polar: "Awaited<ReturnType<typeof import('@polar-sh/sdk/2026-10').webhooks.validateEvent>>",
  resend: "import('resend').WebhookEventPayload",
  slack: [
    ...['EnvelopedEvent', 'SlackAction', 'SlackViewAction', 'SlackShortcut'],
    ...['SlackOptions', 'SlashCommand'],
  ]
    .map((name) => `import('@slack/bolt').${name}`)
    .join(' | '),
  square: {
    module: './node_modules/square/api/types/index',
    // These three are not sent: they are objects of its API.
    names: /^(?!(?:CashDrawerShift|Loyalty|Subscription)Event$)\w+Event$/,
    // The SDK reads `event_id` as `eventId`.
    camelCase: true,
  },
  stream: "import('stream-chat').Event",
  stripe: "import('stripe').Stripe.Event | import('stripe').Stripe.V2.Core.Event",
  telnyx: {
    type: "Awaited<ReturnType<import('telnyx').Telnyx['webhooks']['unwrap']>>",
    withoutEvent: /^ReplacedLinkClick/,
  },
  workos: "import('@workos-inc/node').Event",
  zoom: { module: '@zoom/rivet/meetings', names: /\wEvent$/ },
}

/**
 * Compares where values look for id, event and time in a body with those types. A body without any of the places is a delivery that is
 * rejected or has no name, which nobody sees but whoever waits for it.
 *
 * @param folder Where the SDKs are installed, and TypeScript.
 * @returns A sentence for each type and place that does not fit.
 */
export function compareEventTypes(folder, values) {
  const ts = createRequire(join(folder, 'package.json'))('typescript')
  const chosen = values.filter(({ name }) => name in BODIES)
  const file = join(folder, 'event-types.ts')
  const options = {
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    target: ts.ScriptTarget.ESNext,
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    types: [],
  }
  writeFileSync(file, chosen.map(lineOf).join('\n'))
  const program = ts.createProgram([file], options)
  const checker = program.getTypeChecker()
  const source = program.getSourceFile(file)
  const wrong = program
    .getSemanticDiagnostics(source)
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' '))
  for (const [at, { name, id, idIsOptional, event, timestamp }] of chosen.entries()) {
    const { names, camelCase, withoutEvent } = BODIES[name]
    const bodies = bodiesOf(ts, checker, source.statements[at], names)
    const has = (body, pointer) => hasAt(checker, body, namesIn(pointer, camelCase))
    const look = (what, places = [], mayLack = undefined) => {
      const pointers = places.flatMap(({ pointer }) => pointer ?? [])
      // A header is there whatever the body is.
      if (pointers.length === 0 || pointers.length < places.length) return
      const missing = bodies
        .filter((body) => !pointers.some((pointer) => has(body, pointer)))
        .map((body) => checker.typeToString(body))
        .filter((type) => !mayLack?.test(type))
      if (missing.length > 0) wrong.push(`${name}: no ${what} in ${missing.join(', ')}.`)
    }
    if (bodies.length === 0) wrong.push(`${name}: there are no types of bodies.`)
    look('id', id, idIsOptional ? /./ : undefined)
    look('event', event, withoutEvent)
    look('time', timestamp && [timestamp.at])
  }
  rmSync(file)
  return wrong
}

function lineOf({ name }, at) {
  const bodies = BODIES[name]
  return bodies.module
    ? `export * as Bodies${at} from '${bodies.module}'`
    : `export type Bodies${at} = ${bodies.type ?? bodies}`
}

function bodiesOf(ts, checker, statement, names) {
  if (!names) return alternatives(checker.getTypeAtLocation(statement.name))
  const exported = checker.getExportsOfModule(
    checker.getSymbolAtLocation(statement.moduleSpecifier),
  )
  return exported
    .filter(({ name }) => names.test(name))
    .map((one) => (one.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(one) : one))
    .filter(({ flags }) => flags & ts.SymbolFlags.Type)
    .map((one) => checker.getDeclaredTypeOfSymbol(one))
}

function alternatives(type) {
  return type.isUnion() ? type.types : [type]
}

/** Whether a type has a property there, which may be optional. */
function hasAt(checker, type, [name, ...rest]) {
  if (name === undefined) return true
  return alternatives(checker.getNonNullableType(type)).every((one) => {
    const property = checker.getApparentType(one).getProperty(name)
    return property !== undefined && hasAt(checker, checker.getTypeOfSymbol(property), rest)
  })
}

function namesIn(pointer, isCamelCase) {
  const names = pointer.split('/').slice(1)
  if (!isCamelCase) return names
  return names.map((name) => name.replace(/_(\w)/g, (_, letter) => letter.toUpperCase()))
}
