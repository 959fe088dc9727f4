import { WebhookError } from '@webhook-receiver/core'
import { contract, type ParsedDelivery, type SignedHead } from '@webhook-receiver/core/adapter'
import {
  headerValue,
  type SignedRequest,
  signAgain as signByContract,
  withHeader,
} from '@webhook-receiver/emulator/request'
import type { Capture } from '@webhook-receiver/quarantine'
import { Failure } from '../console/index.ts'
import type { ChosenScheme } from '../options/index.ts'

interface Signing extends Pick<ChosenScheme, 'scheme'> {
  readonly secret: string
  /** The URL that is signed, if the service signs it. */
  readonly url: string
  /** The time of the signature, in milliseconds since the epoch. */
  readonly now: number
}

/**
 * Signs a request again, with a current timestamp. Id and event stay what they are.
 *
 * @throws Failure for a request that is not one of the service, or that holds its time in the body.
 */
export async function signAgain(request: Capture, signing: Signing): Promise<SignedRequest> {
  const { scheme, secret, url, now } = signing
  if (scheme.name === contract.name) return signByContract(request, secret, now)
  const { name, sign, tolerance, readTime } = scheme
  if (!sign) throw new Failure(`Only ${name} can sign its deliveries.`)
  const { id = '', event = '' } = read(request).delivery
  const key = await scheme.importKey(secret, 'The secret')
  const made = await Promise.resolve(sign(key, request.body, { id, event, url, time: now })).catch(
    (error: unknown) => {
      throw error instanceof TypeError ? new Failure(error.message) : error
    },
  )
  const signed = Object.entries(made).reduce(
    (headers, [header, value]) => withHeader(headers, header, value),
    request.headers,
  )
  const { head } = read({ ...request, headers: signed })
  if (readTime && Math.abs(readTime(head, request.body) - now) > tolerance * 1000) {
    throw new Failure(
      `${name} signs the time in the body, so a new signature does not make it current. Handle it in the application, with redrive of @webhook-receiver/quarantine.`,
    )
  }
  return { headers: signed, body: request.body }

  function read({ method, headers, body }: Omit<Capture, 'target'>): {
    readonly head: SignedHead
    readonly delivery: ParsedDelivery
  } {
    try {
      const head = scheme.readHead({ method, header: (name) => headerValue(headers, name), url })
      return { head, delivery: scheme.readBody(body, new Set(), head) }
    } catch (error) {
      if (!(error instanceof WebhookError)) throw error
      throw new Failure(`It is not a delivery of ${name}: ${error.detail}`)
    }
  }
}
