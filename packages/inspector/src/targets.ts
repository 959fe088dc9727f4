import { createHash } from 'node:crypto'
import { createReceiver, type Secrets } from '@webhook-receiver/core'

/** A receiver that the page can send to, or whose requests it shows. */
export interface Target {
  /** Its address, http or https. */
  readonly url: string
  /** What signs its deliveries; it never leaves the process. Without it the page cannot sign or verify. */
  readonly secret?: Exclude<Secrets, undefined> | undefined
}

/** A target as the page knows it. */
export interface TargetView {
  readonly id: string
  readonly url: string
  readonly canSign: boolean
}

export interface Targets {
  /** Adds a target, or gives the one with this id another secret. */
  add(target: Target, id?: string): KnownTarget
  get(id: string): KnownTarget | undefined
  all(): readonly KnownTarget[]
}

export interface KnownTarget {
  readonly id: string
  readonly url: URL
  /** By name; empty if there are none. */
  readonly secrets: Readonly<Record<string, string>>
}

/** Its `add` throws a TypeError where the address is no http or https URL, or no receiver could have this secret. */
export function createTargets(): Targets {
  const targets = new Map<string, KnownTarget>()
  return {
    add({ url: address, secret }, id = idOf(address)) {
      const url = URL.canParse(address) ? new URL(address) : undefined
      if (url === undefined || !/^https?:$/.test(url.protocol)) {
        throw new TypeError('`url` should begin with http:// or https://.')
      }
      const secrets = byName(secret)
      const known = targets.get(id)
      // Each request that is received names its target.
      if (known?.url.href === url.href && isEqual(known.secrets, secrets)) return known
      if (Object.keys(secrets).length > 0) createReceiver(secrets)
      const target = { id, url, secrets }
      targets.set(id, target)
      return target
    },
    get: (id) => targets.get(id),
    all: () => [...targets.values()],
  }
}

export function targetView({ id, url, secrets }: KnownTarget): TargetView {
  return { id, url: url.href, canSign: Object.keys(secrets).length > 0 }
}

/** The secret that signs: the first one. */
export function signingSecret({ secrets }: KnownTarget): string | undefined {
  return Object.values(secrets)[0]
}

function byName(secret: Target['secret']): Readonly<Record<string, string>> {
  if (secret === undefined) return {}
  if (typeof secret === 'string') return { secret }
  return Object.fromEntries(
    Object.entries(secret).flatMap(([name, value]) => (value ? [[name, value]] : [])),
  )
}

function isEqual(one: KnownTarget['secrets'], other: KnownTarget['secrets']): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

function idOf(url: string): string {
  return createHash('sha256').update(url).digest('hex').slice(0, 12)
}
