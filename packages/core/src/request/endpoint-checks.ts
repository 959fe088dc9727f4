import type { EndpointChecks, ExpectSecret, Handshake, Scheme } from '../verify/scheme.ts'
import type { Incoming } from './incoming.ts'

interface Settings {
  readonly scheme: Scheme
  readonly verifyToken: string | undefined
  readonly expectSecret: ExpectSecret | undefined
  readonly callbackTimeout: number
}

/** The methods of the checks that a receiver responds to. */
export function checkMethods({
  scheme: { checks },
  verifyToken,
}: Pick<Settings, 'scheme' | 'verifyToken'>): EndpointChecks['methods'] {
  const { methods = [], needsToken = false } = checks ?? {}
  return needsToken && verifyToken === undefined ? methods.filter((one) => one !== 'GET') : methods
}

/**
 * Makes the function that responds to unsigned requests by which a service checks the endpoint or brings its secret; `undefined` where
 * there are none, so that deliveries pay nothing.
 */
export function endpointChecks(settings: Settings): EndpointCheckReader | undefined {
  const { scheme, verifyToken = '', expectSecret, callbackTimeout } = settings
  const methods: readonly string[] = checkMethods(settings)
  if (methods.length === 0 && !expectSecret) return undefined
  return (incoming, urlOf) => {
    const { method } = incoming
    const isCheck = methods.includes(method)
    if (!isCheck && (method !== 'POST' || !expectSecret)) return undefined
    const [, query = ''] = /^[^?#]*\?([^#]*)/.exec(urlOf(incoming) ?? '') ?? []
    const check = { method, query, header: (name: string) => incoming.header(name) }
    if (isCheck) return scheme.checks?.respond(check, verifyToken)
    return expectSecret && scheme.takeSecret?.(check, expectSecret, callbackTimeout)
  }
}

/** Throws a WebhookError for a check that fails. */
type EndpointCheckReader = (
  incoming: Incoming<unknown>,
  urlOf: (incoming: Incoming<unknown>) => string | undefined,
) => Promise<Handshake | undefined> | undefined
