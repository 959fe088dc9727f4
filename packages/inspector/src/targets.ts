import { createReceiver, type SchemeKind } from '@webhook-receiver/core'
import type { NoSchemas } from '@webhook-receiver/core/adapter'
import { type Secrets, sourceFor } from '@webhook-receiver/core/internal'
import type { Service } from './service.ts'
import { definedSecrets, type VerificationRules } from './verification.ts'

/** A receiver that the page can send to, or whose requests it shows. */
export interface Target {
  readonly id: string
  readonly url: URL
  /** What signs its deliveries; it never leaves the process. Without it the page cannot sign or verify. */
  readonly secrets: Exclude<Secrets, undefined> | undefined
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
  { scheme, publicUrl }: Pick<VerificationRules, 'scheme' | 'publicUrl'> = {},
): Target {
  const defined = typeof secrets === 'object' ? definedSecrets(secrets) : secrets
  if (defined !== undefined) {
    const source = sourceFor(scheme, defined)
    createReceiver<Request, NoSchemas, never, SchemeKind>(source, { scheme, publicUrl })
  }
  return { id: id ?? url, url: new URL(url), secrets: defined }
}

export function targetView({ id, url, secrets, start }: Target, { canSign }: Service): TargetView {
  return { id, url: url.href, start, canSign: canSign && secrets !== undefined }
}

/** The secret that signs: the first one. */
export function signingSecret({ secrets = {} }: Target): string | undefined {
  return Object.values(definedSecrets(secrets))[0]
}

/** The path of a target with its query. */
export function pathOf({ url }: Target): string {
  return `${url.pathname}${url.search}`
}
