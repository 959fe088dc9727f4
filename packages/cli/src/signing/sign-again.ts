import type { RequestHead } from '@webhook-receiver/core'
import { WebhookError } from '@webhook-receiver/core'
import { contract } from '@webhook-receiver/core/internal'
import {
  headerValue,
  type SignedRequest,
  type Signing,
  signAgain as sign,
} from '@webhook-receiver/emulator/internal'
import {
  eitherOf,
  guessOf,
  otherServices,
  titleOf,
} from '@webhook-receiver/inspector/other-services'
import type { Capture } from '@webhook-receiver/quarantine/internal'
import { schemeValueOf } from '@webhook-receiver/schemes/neighbours'
import { Failure } from '../console/index.ts'
import type { ChosenScheme } from '../options/index.ts'

/**
 * Signs a request again, with a current timestamp. Id and event stay what they are.
 *
 * @throws Failure for a request that is not one of the service, or that holds its time in the body.
 */
export async function signAgain(
  request: Capture,
  signing: Signing & Pick<ChosenScheme, 'scheme'>,
): Promise<SignedRequest> {
  const { scheme, url, now } = signing
  const { tolerance } = scheme
  const { id = [], event = [] } = schemeValueOf(scheme) ?? { id: [{ header: '' }] }
  // What the headers of a service hold besides the signature and its time cannot be made up.
  const canAdd = [...id, ...event].every((place) => 'pointer' in place)
  const fault = await faultOf(request)
  if (fault && !canAdd) throw fault
  const signed = await sign(request, signing).catch((error: unknown) => {
    throw error instanceof TypeError ? new Failure(error.message) : error
  })
  const head = scheme.readHead(headOf(signed))
  if (scheme.readTime && Math.abs(scheme.readTime(head, signed.body) - now) > tolerance * 1000) {
    throw new Failure(
      `${titleOf(scheme)} signs the time in the body, so a new signature does not make it current. Handle it in the application, with redrive of @webhook-receiver/quarantine.`,
    )
  }
  return signed

  function headOf({ headers }: SignedRequest): RequestHead {
    return { method: 'POST', header: (wanted) => headerValue(headers, wanted), url }
  }

  /** Why the headers are not those of the service. */
  async function faultOf(given: SignedRequest): Promise<Failure | undefined> {
    try {
      scheme.readHead(headOf(given))
      return undefined
    } catch (error) {
      if (!(error instanceof WebhookError)) throw error
      return new Failure(await notOf(given.headers, scheme, error.detail))
    }
  }
}

/** Whose delivery it may be instead, with the fix. */
async function notOf(
  headers: SignedRequest['headers'],
  scheme: ChosenScheme['scheme'],
  detail: string,
): Promise<string> {
  const others = await otherServices(headers, scheme)
  if (others.length === 0) return `It is not a delivery of ${titleOf(scheme)}: ${detail}`
  const { said, names } = guessOf(others, scheme)
  const either = eitherOf(names)
  const fix = either === contract.name ? 'Leave out --scheme.' : either && `Use --scheme ${either}.`
  return `It ${said}. ${fix}`.trimEnd()
}
