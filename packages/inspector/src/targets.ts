import { createReceiver, type SchemeKind } from '@webhook-receiver/core'
import type { NoSchemas } from '@webhook-receiver/core/adapter'
import { contract, type Secrets, sourceFor } from '@webhook-receiver/core/internal'
import { receiverSecret } from '@webhook-receiver/emulator/internal'
import { isSigning } from '@webhook-receiver/schemes/neighbours'
import { definedSecrets, type VerificationRules } from './verification.ts'

/** A receiver that the page can send to, or whose requests it shows. */
export interface Target {
  readonly id: string
  readonly url: URL
  /** What verifies its deliveries; it never leaves the process. Without it the page cannot verify. */
  readonly secrets: Exclude<Secrets, undefined> | undefined
  /** What signs them; `undefined` where only the service can. */
  readonly signing: string | undefined
  /** The command that starts it. */
  readonly start?: string | undefined
}

/** A target as the page knows it. */
export interface TargetView {
  readonly id: string
  readonly url: string
  readonly start?: string | undefined
  readonly canSign: boolean
}

/** @throws TypeError for a secret that no receiver could have. */
export function makeTarget(
  url: string,
  secrets?: Target['secrets'],
  id?: string,
  { scheme = contract, publicUrl }: Pick<VerificationRules, 'scheme' | 'publicUrl'> = {},
): Target {
  const verifying = (secret: string) => receiverSecret(scheme, secret)
  const defined =
    typeof secrets === 'object'
      ? mapped(definedSecrets(secrets), verifying)
      : secrets && verifying(secrets)
  if (defined !== undefined) {
    const source = sourceFor(scheme, defined)
    createReceiver<Request, NoSchemas, never, SchemeKind>(source, { scheme, publicUrl })
  }
  const [first] = secrets === undefined ? [] : Object.values(definedSecrets(secrets))
  const signing = first !== undefined && isSigning(scheme, first) ? first : undefined
  return { id: id ?? url, url: new URL(url), secrets: defined, signing }
}

function mapped(
  secrets: Readonly<Record<string, string>>,
  change: (secret: string) => string,
): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(secrets).map(([name, one]) => [name, change(one)]))
}

export function targetView({ id, url, signing, start }: Target): TargetView {
  return { id, url: url.href, start, canSign: signing !== undefined }
}

/** The path of a target with its query. */
export function pathOf({ url }: Target): string {
  return `${url.pathname}${url.search}`
}
