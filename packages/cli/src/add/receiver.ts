import { type Import, indented, list } from './code.ts'
import type { Parts } from './parts.ts'
import type { Service } from './service.ts'

/** A call of `webhookHandler` or `webhookMiddleware`, with what it imports. */
interface Receiver {
  readonly imports: readonly Import[]
  /** What stands before the call. */
  readonly before: string
  readonly call: string
}

/**
 * The receiver of a service.
 *
 * @param given.secret code of the secret. Default: the environment variable.
 * @param given.options code of options of the framework.
 */
export function receiver(
  parts: Parts,
  adapter: string,
  given: { readonly secret?: string; readonly options?: readonly string[] } = {},
): Receiver {
  const { service, store, inbox, middleware } = parts
  const { scheme, reply } = service
  const { before, secret } = secretOf(parts, given.secret)
  const isHandler = middleware === undefined
  const names = isHandler
    ? ['webhookHandler', ...(reply === undefined ? [] : ['reply'])]
    : ['webhookMiddleware']
  // Behind a middleware, the path is the router's.
  const all = [...((isHandler && given.options) || []), ...options(parts)]
  const last = all.length > 0 ? [list(['{ ', ' }'], all, 70)] : []
  return {
    imports: [
      { from: `@webhook-receiver/${adapter}`, names },
      ...(scheme ? [{ from: scheme.from, names: [scheme.exported] }] : []),
      ...(store ? [store] : []),
      ...(inbox ? [inbox] : []),
    ],
    before,
    call: isHandler
      ? callOf([secret, inbox ? receivedBy(service) : handlers(parts), ...last])
      : list(['webhookMiddleware(', ')'], [secret, ...last], 60),
  }
}

/** Code of the secret, and what stands before it. */
export function secretOf(
  { service }: Parts,
  given = `process.env.${service.variable}`,
): { readonly before: string; readonly secret: string } {
  if (!service.isSubscribed) return { before: '', secret: given }
  return {
    before: `// The secret of each subscription, by its id: a table of your database.
const secrets = new Map([['sub_01', process.env.${service.variable}]])

`,
    secret: '{ secretsOf: (id) => secrets.get(id) }',
  }
}

/** Code of the options that every framework has. */
export function options({ service, store, inbox }: Parts): readonly string[] {
  const { scheme, needsTolerance, signsUrl, tokenVariable, duplicates } = service
  return [
    ...(scheme ? [`scheme: ${scheme.call}`] : []),
    ...(needsTolerance ? ['tolerance: 300'] : []),
    ...(signsUrl ? [`publicUrl: '${publicUrlOf(service.path)}'`] : []),
    ...(tokenVariable ? [`verifyToken: process.env.${tokenVariable}`] : []),
    ...(store ? ['store'] : []),
    // Where the id is not signed, a copy may come under another one.
    ...((store || inbox) && duplicates ? [`duplicates: '${duplicates}'`] : []),
  ]
}

/** A URL as it would be registered at the service. */
export function publicUrlOf(path: string): string {
  return `https://example.com${path}`
}

function callOf(args: readonly string[]): string {
  const [secret = '', handled = ''] = args
  // An object at the end begins on the line of the call.
  if (args.length === 2 && handled.startsWith('{') && !secret.includes('\n'))
    return `webhookHandler(${secret}, ${handled})`
  return list(['webhookHandler(', ')'], args, 60)
}

/** Code that stores a delivery in the inbox. */
export function receivedBy({ name }: Service): string {
  return `inbox.receive('${name}')`
}

/** Shows what there is. */
export function handlers(parts: Pick<Parts, 'service' | 'dialect'>): string {
  const { event, eventTitle, hasEvent, reply } = parts.service
  const head = `async ({ ${namesOf(parts.service)} }) =>`
  const work = workOf(parts)
  const lines = reply === undefined ? work : `${work}\nreturn reply(${reply})`
  const body = lines.includes('\n') ? `{\n${indented(lines)}\n}` : lines
  if (!hasEvent) return `${head} ${body}`
  const key = /^[a-z_]\w*$/i.test(event) ? event : `'${event}'`
  const line = `${key}: ${head}`
  const isWide = reply === undefined && line.length + body.length > 69
  const handler = isWide ? `${line}\n  ${body},` : `${line} ${body},`
  return `{\n${indented(eventTitle ? `// ${eventTitle}\n${handler}` : handler)}\n}`
}

/** What a handler does with what there is. */
export function workOf({ service, dialect }: Pick<Parts, 'service' | 'dialect'>): string {
  const work = service.work ?? `console.log(${namesOf(service)})`
  return dialect.language === 'ts' ? work : work.replace(/ as .*$/m, '')
}

/** What there is of a delivery. */
export function namesOf({ hasEvent, hasId }: Service): string {
  return [hasEvent && 'event', hasId && 'id', 'data'].filter(Boolean).join(', ')
}

/** By which a router takes the route: Meta and others check the endpoint with a GET. */
export function methodOf({ checks }: Service): 'all' | 'post' {
  return checks.length > 0 ? 'all' : 'post'
}

/** The type of a scheme that is imported, or that a call makes. */
export function schemeTypeOf({ exported, call }: NonNullable<Service['scheme']>): string {
  return call === exported ? `typeof ${exported}` : `ReturnType<typeof ${exported}>`
}
