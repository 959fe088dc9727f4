import { contract, SIGNATURE_HEADERS } from '@webhook-receiver/core/internal'
import * as schemes from '@webhook-receiver/schemes'
import { schemeValueOf } from '@webhook-receiver/schemes/neighbours'
import type { AnyScheme } from '../src/signed-texts.ts'
import type { Header } from './request-text.ts'

/** What the debugger needs of a service's file. Its build puts all of them here. */
interface ServiceFacts {
  readonly title: string
  /** The usual environment variable of the secret. */
  readonly variable: string
  readonly event: string
  readonly sample: object
}

declare const SERVICES: Readonly<Record<string, ServiceFacts>>

export interface Service {
  readonly scheme: AnyScheme
  /** How code imports the scheme; `undefined` for the default format. */
  readonly exported: string | undefined
  readonly title: string
  readonly variable: string
  readonly event: string
  readonly sample: object
}

const DEFAULT_FORMAT: Service = {
  scheme: contract,
  exported: undefined,
  title: 'The default format',
  variable: 'WEBHOOK_SECRET',
  event: 'message.received',
  sample: contract.sample?.('message.received') ?? {},
}

/** By the title, the default format last. */
export const services: readonly Service[] = [
  ...Object.entries(schemes)
    .flatMap(([exported, scheme]) => {
      const facts = 'readHead' in scheme ? SERVICES[scheme.name] : undefined
      return facts && 'readHead' in scheme
        ? [{ scheme: scheme as AnyScheme, exported, ...facts }]
        : []
    })
    .sort((one, other) => one.title.localeCompare(other.title, 'en')),
  DEFAULT_FORMAT,
]

export const allSchemes: readonly AnyScheme[] = services.map(({ scheme }) => scheme)

/** By the name of the scheme; `undefined` for a scheme of somebody's own. */
export function serviceNamed(name: string): Service | undefined {
  return services.find(({ scheme }) => scheme.name === name)
}

/** The service that writes the signature of a request into one of these headers; the chosen one, if several do. */
export function serviceOf(headers: readonly Header[], chosen: Service): Service | undefined {
  const names = headers.map(([name]) => name.toLowerCase())
  const has = ({ scheme }: Service) => signatureNames(scheme).some((name) => names.includes(name))
  if (has(chosen)) return chosen
  const known = names.flatMap((name) => SIGNATURE_HEADERS[name]?.split(/, | or /) ?? [])
  return services.find(({ exported }) => exported && known.includes(exported)) ?? services.find(has)
}

function signatureNames(scheme: AnyScheme): readonly string[] {
  const value = schemeValueOf(scheme)
  return value ? [value.signature.header].flat() : scheme.headers
}
