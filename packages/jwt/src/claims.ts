import { quoted } from '@webhook-receiver/core/internal'
import type { Claims, JwtService } from './service.ts'

/** What the receiver knows of who may have signed, and for whom. */
export interface Expected {
  /** The secret of the receiver, where that is an account. */
  readonly account: string | undefined
  /** Whose token it is, where a function of the claims says so. */
  readonly named: unknown
  /** The public URL. */
  readonly url: string | undefined
}

/** Why the token is not for this receiver, or has no times, as it goes on from "but"; `undefined` where it is. */
export function addressFault(claims: Claims, service: JwtService): string | undefined {
  return (
    otherOf('issuer (iss)', claims.iss, service.issuer) ??
    otherOf('audience (aud)', claims.aud, service.audience) ??
    timeFault(claims, service)
  )
}

/** Why what it says is not for this account or URL. */
export function contentFault(
  claims: Claims,
  service: JwtService,
  { account, named, url }: Expected,
): string | undefined {
  return (
    accountFault(claims, service, account, named) ??
    (service.url === undefined || (url !== undefined && claims[service.url] === url)
      ? undefined
      : `its ${service.url} is ${shown(claims[service.url])}, and the public URL is ${shown(url)}`)
  )
}

function otherOf(
  what: string,
  seen: unknown,
  wanted: string | readonly string[] | undefined,
): string | undefined {
  if (wanted === undefined || seen === wanted) return undefined
  const accepted = typeof wanted === 'string' ? [wanted] : wanted
  // Of a list, one is enough for an audience; an issuer is always one.
  const found = what.startsWith('audience') && Array.isArray(seen) ? seen : [seen]
  if (found.some((one) => typeof one === 'string' && accepted.includes(one))) return undefined
  return `its ${what} is ${shown(seen)}, and not ${accepted.map(shown).join(' or ')}`
}

function timeFault({ exp, nbf, iat }: Claims, service: JwtService): string | undefined {
  if (mustExpire(service) && exp === undefined)
    return 'it does not say until when it is valid (exp)'
  if (service.tolerance !== undefined && iat === undefined)
    return 'it does not say when it was signed (iat)'
  const isTime = (time: unknown) => time === undefined || Number.isFinite(time)
  return isTime(exp) && isTime(nbf) && isTime(iat) ? undefined : 'one of its times is no number'
}

/** A detached signature has no claims but those that the body may have. */
export function mustExpire({ body, expires = body !== 'detached' }: JwtService): boolean {
  return expires
}

function accountFault(
  claims: Claims,
  service: JwtService,
  wanted: string | undefined,
  named: unknown,
): string | undefined {
  const { account } = service
  if (account === undefined) return undefined
  const found = typeof account === 'function' ? named : claims[account]
  // Not `===` alone: both may be undefined.
  if (typeof found !== 'string' || wanted === undefined || found !== wanted) {
    return `it is of another account (${typeof account === 'string' ? `${account}: ` : ''}${shown(found)})`
  }
  if (account === 'email' && claims.email_verified !== true) {
    return 'nobody has verified the email of its account (email_verified)'
  }
  return undefined
}

function shown(value: unknown): string {
  if (typeof value === 'string') return quoted(value, 100)
  return value === undefined ? 'missing' : quoted(JSON.stringify(value) ?? '', 100)
}
