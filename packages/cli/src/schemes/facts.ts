import { SITE } from '@webhook-receiver/core/internal'
import type { SchemeValue } from '@webhook-receiver/schemes'
import { schemeValueOf, sharesSecret } from '@webhook-receiver/schemes/neighbours'
import type { NamedScheme } from '../options/named-scheme.ts'

/** What is known of a scheme, in the form of `--json`, and line by line to people. */
export interface SchemeFacts {
  readonly [fact: string]: string | number | readonly string[] | null
  readonly title: string | null
  readonly name: string
  readonly import: string
  readonly not_signed: readonly string[]
}

export async function factsOf({ exported, scheme }: NamedScheme): Promise<SchemeFacts> {
  const { name, title = null, secret, headers, unsigned = [], tolerance, success } = scheme
  const ambiguous = 'ambiguous' in scheme && scheme.ambiguous === true
  const value = schemeValueOf(scheme)
  const { serviceFile } = await import('@webhook-receiver/schemes/services')
  const file = serviceFile(name)
  return {
    ...{ title, name, import: exported },
    secret: secret
      ? `${secret.called}${secret.begins ? `, which begins with ${secret.begins}` : ''}`
      : null,
    variable: file?.variable ?? null,
    // Empty if the scheme is not made from a value.
    signature: value?.keys.map(({ algorithm }) => algorithm) ?? [],
    signed: value?.signed.map(partText) ?? [],
    headers,
    not_signed: ambiguous
      ? [...unsigned.filter((part) => part === 'id' || part === 'event'), 'where a field ends']
      : unsigned,
    replay_window: Number.isFinite(tolerance)
      ? `${tolerance} s`
      : scheme.expires
        ? 'until its token expires'
        : scheme.readTime
          ? 'none without `tolerance`'
          : 'none: only a store stops a replay',
    success: success?.status ?? 204,
    waits: scheme.patience === undefined ? null : `${scheme.patience} s for a response`,
    retries:
      file?.retriesFor ??
      (value?.retries === false ? 'no: use a queue or an inbox' : value?.retries ? 'yes' : null),
    send: !scheme.sign
      ? 'only the service can sign'
      : sharesSecret(scheme)
        ? 'signs with the shared secret'
        : 'signs with a private key that `keys` makes',
    samples: Object.keys(file?.samples ?? {}),
    page: file ? `${SITE}/services/${name}` : null,
    documentation: value?.documentation ?? file?.documentation ?? null,
    checked: value?.checked ?? null,
  }
}

function partText(part: SchemeValue['signed'][number]): string {
  if (typeof part === 'string') return part
  return 'text' in part ? JSON.stringify(part.text) : `${part.header}`
}
