import { mac } from '@webhook-receiver/core/adapter'
import { hexOf } from './encoding.ts'

/** What a service needs that may sign its URL with the digest of the body, and with its port or without it. */
export interface Urls {
  /** The SHA-256 of the body in the parameter of a URL. */
  readonly digestIn: (url: string, parameter: string) => string | undefined
  readonly hasDigest: (body: Uint8Array, digest: string) => Promise<boolean>
  /** The URL without its port and with it. */
  readonly spellings: (url: string) => readonly string[]
}

export const urls: Urls = {
  digestIn: (url, parameter) => new RegExp(`[?&]${parameter}=([0-9a-f]{64})(?:&|$)`).exec(url)?.[1],
  hasDigest: async (body, digest) => hexOf(await mac.sha256(Uint8Array.from(body))) === digest,
  spellings(url) {
    const [, scheme, host, port, rest] = /^(https?):\/\/([^/?#:]+)(:\d+)?(.*)$/.exec(url) ?? []
    if (!scheme) return [url]
    const standard = port ?? (scheme === 'https' ? ':443' : ':80')
    return [`${scheme}://${host}${rest}`, `${scheme}://${host}${standard}${rest}`]
  },
}
