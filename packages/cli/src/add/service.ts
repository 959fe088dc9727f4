import { randomBytes } from 'node:crypto'
import type { Scheme } from '@webhook-receiver/core'
import { contract } from '@webhook-receiver/core/internal'
import { schemeValueOf, sharesSecret } from '@webhook-receiver/schemes/neighbours'
import { serviceFile } from '@webhook-receiver/schemes/services'
import { TOKENS } from '../options/index.ts'

/** What the files of an application need of a service. */
export interface Service {
  /** That of its scheme; `default` for the default format. */
  readonly name: string
  readonly title: string
  /** What is imported, and from where; `undefined` for the default format. */
  readonly scheme:
    | { readonly exported: string; readonly call: string; readonly from: string }
    | undefined
  /** Whether the call has options that only the user knows. */
  readonly isExample: boolean
  /** The packages of the scheme besides the adapter's. */
  readonly packages: readonly string[]
  /** Whether a test finds a body for the event. */
  readonly hasSamples: boolean
  /** The environment variable of its secret. */
  readonly variable: string
  readonly path: string
  /** The first of its samples. */
  readonly event: string
  /** What that stands for, where its name does not say it. */
  readonly eventTitle?: string | undefined
  readonly hasEvent: boolean
  readonly hasId: boolean
  /** Why no store can tell its deliveries apart. */
  readonly alike: string | undefined
  /** Code of what a handler does, where it has to decode the content. */
  readonly work: string | undefined
  /** Code of what a handler has to reply, where the service waits for a decision. */
  readonly reply: string | undefined
  /** Whether only the option `tolerance` stops a replay, and no retry would be rejected by it. */
  readonly needsTolerance: boolean
  /** Whether a receiver needs to know the URL that the service was given. */
  readonly signsUrl: boolean
  /** Whether its requests look like a form of another site, which some frameworks reject. */
  readonly looksLikeForm: boolean
  /** The body parser of Express that would take its requests. */
  readonly parser: 'json' | 'urlencoded'
  /** The methods besides POST by which the service checks the endpoint. */
  readonly checks: readonly string[]
  /** The environment variable of the token that such a check has. */
  readonly tokenVariable: string | undefined
  /** Whether each subscription has a secret. */
  readonly isSubscribed: boolean
  /** By what a store recognises a copy, where it has to be told. */
  readonly duplicates: 'body' | 'id' | undefined
  /** How a test signs: with the secret, with a private key that it makes, or not at all. */
  readonly signedBy: 'secret' | 'key' | 'nobody'
  /** What the receiver responds with. */
  readonly status: number
  /** One for tests, of the kind that the service has. */
  readonly secret: string
  /** Makes one that nobody else knows. */
  readonly newSecret: () => string
  /** Where the secret is found, and what it is not. */
  readonly hint: string
}

/** What is known of a scheme under the name that a package exports. */
export function serviceOf(
  exported: string,
  scheme: Scheme,
  from = `@webhook-receiver/schemes${scheme.value ? '' : `/${scheme.name}`}`,
): Service {
  const { name, hasId, hasEvent, unsigned = [], decision = false } = scheme
  const file = serviceFile(name)
  const token = TOKENS[name]
  const [[event, sample] = []] = Object.entries(file?.samples ?? {})
  const variable =
    file?.variable ??
    token?.variable ??
    `${name.toUpperCase().replaceAll(/\W/g, '_')}_WEBHOOK_SECRET`
  const service: Service = {
    name,
    title: scheme.title ?? file?.title ?? name,
    scheme: {
      exported,
      call: token?.call ?? (scheme.value || token ? exported : `${exported}({ confirm: true })`),
      from,
    },
    isExample: token?.call !== undefined,
    packages: token ? [from, 'jose'] : ['@webhook-receiver/schemes'],
    hasSamples: file !== undefined,
    variable,
    path: `/webhooks/${name}`,
    event: event ?? token?.event ?? 'event',
    eventTitle: sample?.title,
    hasEvent,
    hasId,
    work: token?.work,
    reply: file?.reply,
    alike: file?.alike,
    needsTolerance: decision && scheme.readTime !== undefined && !Number.isFinite(scheme.tolerance),
    signsUrl: scheme.signsUrl === true,
    looksLikeForm:
      schemeValueOf(scheme)?.body?.includes('form') === true ||
      file?.headers?.['content-type']?.startsWith('text/plain') === true,
    parser: schemeValueOf(scheme)?.signed.includes('form') ? 'urlencoded' : 'json',
    checks: scheme.checks?.methods ?? [],
    tokenVariable: scheme.checks?.needsToken ? variable.replace(/_.*/, '_VERIFY_TOKEN') : undefined,
    isSubscribed: scheme.subscriptionOf !== undefined,
    duplicates: token?.duplicates ?? (!hasId || unsigned.includes('id') ? 'body' : undefined),
    signedBy: sharesSecret(scheme) ? 'secret' : scheme.sign ? 'key' : 'nobody',
    status: decision ? 200 : (scheme.success?.status ?? 204),
    secret: secretOf(scheme, TEST_SECRET),
    newSecret: () => secretOf(scheme, randomBytes(24)),
    hint: hintOf(scheme, file?.where ?? token?.where),
  }
  return name === contract.name ? defaultOf(service) : service
}

/** The default format is in no package of services, and its variables have other names. */
function defaultOf(service: Service): Service {
  return {
    ...service,
    name: 'default',
    title: 'the default format',
    scheme: undefined,
    packages: [],
    hasSamples: true,
    variable: 'WEBHOOK_SECRET',
    path: '/webhooks',
    event: 'message.received',
    hint: hintOf(contract, 'The service shows it once, when the webhook is registered.'),
  }
}

/** @example 'In the Dashboard, open … It begins with whsec_.' */
function hintOf({ secret }: Scheme, where: string | undefined): string {
  // At start, what begins otherwise gets a warning or an error.
  const kind = secret?.begins ? `It begins with ${secret.begins}.` : notOf(secret?.mistaken)
  return [where?.replaceAll('`', ''), kind].filter(Boolean).join(' ')
}

/** @example 'It is not AC… (the account SID), nor SK… (the SID of an API key).' */
function notOf(mistaken: Readonly<Record<string, string>> = {}): string {
  const named = [...new Set(Object.values(mistaken))].map((what) => {
    const begun = Object.keys(mistaken).filter((begin) => mistaken[begin] === what)
    return `${begun.map((begin) => `${begin}…`).join(', ')} (${what})`
  })
  return named.length > 0 ? `It is not ${named.join(', nor ')}.` : ''
}

/** Long enough for every service. */
const TEST_SECRET = Buffer.from('made_up_secret_for_tests')

function secretOf(scheme: Scheme, bytes: Buffer): string {
  const [key] = schemeValueOf(scheme)?.keys ?? []
  const begins = scheme.secret?.begins ?? key?.secretPrefix ?? ''
  const isBytes = key?.secret === 'hex' || key?.secret === 'base64'
  const text = bytes === TEST_SECRET ? bytes.toString() : bytes.toString('hex')
  return begins + (isBytes ? bytes.toString(key.secret) : text)
}
