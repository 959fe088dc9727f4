import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { SignedPart } from '@webhook-receiver/core'
import type { DefinedScheme, SchemeValue } from '@webhook-receiver/schemes'
import { canSign, type NamedScheme } from '../options/scheme.ts'

type Algorithm = SchemeValue['keys'][number]['algorithm']
type Part = SchemeValue['signed'][number]

/** What is known of a scheme, in the form of `--json`. What its service does not document is `null`. */
export interface SchemeFacts {
  readonly name: string
  readonly exported: string
  readonly title: string | null
  /** What the service calls the secret, and how it begins. */
  readonly secret: string | null
  /** Empty if the scheme is not made from a value. */
  readonly algorithms: readonly string[]
  /** What is signed, in its order. */
  readonly signed: readonly string[]
  readonly headers: readonly string[]
  readonly unsigned: readonly SignedPart[]
  readonly ambiguous: boolean
  /** The replay window in seconds. */
  readonly tolerance: number | null
  readonly success: number
  /** In seconds. */
  readonly patience: number | null
  readonly retries: boolean | null
  /** Whether `send` can sign, given a shared secret. */
  readonly signs: boolean
  /** The events that `send` has a sample of. */
  readonly samples: readonly string[]
  /** The page of the service in our documentation. */
  readonly page: string | null
  readonly documentation: string | null
  readonly checked: string | null
  /** The SDK that agrees with the scheme, or where its vectors come from. */
  readonly judge: string | null
}

export async function factsOf({ exported, scheme }: NamedScheme): Promise<SchemeFacts> {
  const { name, headers, unsigned = [], tolerance, success, patience = null } = scheme
  const defined: Partial<DefinedScheme> = scheme
  const { value, ambiguous = false } = defined
  const { serviceFile } = await import('@webhook-receiver/schemes/services')
  const file = serviceFile(name)
  return {
    name,
    exported,
    title: scheme.title ?? null,
    secret: secretText(scheme.secret),
    algorithms: value?.keys.map(({ algorithm }) => ALGORITHMS[algorithm]) ?? [],
    signed: value?.signed.map(partText) ?? [],
    headers,
    unsigned,
    ambiguous,
    tolerance: Number.isFinite(tolerance) ? tolerance : null,
    success: success?.status ?? 204,
    patience,
    retries: value?.retries ?? null,
    signs: canSign(scheme),
    samples: Object.keys(file?.samples ?? {}),
    page: file ? `https://webhook-receiver.github.io/services/${name}` : null,
    documentation: value?.documentation ?? file?.documentation ?? null,
    checked: value?.checked ?? null,
    judge: await judgeOf(name),
  }
}

function secretText(secret: NamedScheme['scheme']['secret']): string | null {
  if (!secret) return null
  return `${secret.called}${secret.begins ? `, which begins with ${secret.begins}` : ''}`
}

const ALGORITHMS: Readonly<Record<Algorithm, string>> = {
  'hmac-sha1': 'HMAC-SHA1',
  'hmac-sha256': 'HMAC-SHA256',
  'hmac-sha512': 'HMAC-SHA512',
  ed25519: 'Ed25519',
  'ecdsa-p256': 'ECDSA P-256',
  'rsa-sha256': 'RSA-SHA256',
}

function partText(part: Part): string {
  if (typeof part === 'string') return part
  return 'text' in part ? JSON.stringify(part.text) : `${part.header}`
}

/** From the recorded vectors of the service, if there are any. */
async function judgeOf(name: string): Promise<string | null> {
  const conformance = createRequire(import.meta.url).resolve(
    '@webhook-receiver/conformance/package.json',
  )
  const path = join(dirname(conformance), 'schemes', `${name}.json`)
  const text = await readFile(path, 'utf8').catch(() => '{}')
  const { judge, version, source = null } = JSON.parse(text)
  return judge === undefined ? source : `${judge} ${version}`
}
