import type { EndpointChecks, Handshake } from '@webhook-receiver/core'
import { mac, rejection } from '@webhook-receiver/core/internal'
import type { SchemeValue } from '../value.ts'

/** What is sent back to anybody: nothing that a browser or a shell could take for more than a word. */
const WORD = /^[\w.-]{1,256}$/

/** What responds to checks of the endpoint by other methods than POST. */
export const checksOf = ({ getCheck, headCheck, originCheck }: SchemeValue): EndpointChecks => ({
  methods: [
    ...(getCheck ? (['GET'] as const) : []),
    ...(headCheck ? (['HEAD'] as const) : []),
    ...(originCheck === undefined ? [] : (['OPTIONS'] as const)),
  ],
  needsToken: getCheck?.token !== undefined,
  async respond({ method, query, header }, token) {
    if (method === 'GET') return getCheck && respondToGet(getCheck, query, token)
    if (method === 'HEAD') return { name: 'HEAD', response: { status: 200 } }
    if (originCheck === undefined || header('webhook-request-origin') !== originCheck)
      return undefined
    // Deliveries are verified all the same, so that no rate has to be agreed on.
    const headers = {
      allow: 'POST, OPTIONS',
      'webhook-allowed-origin': originCheck,
      'webhook-allowed-rate': '*',
    }
    return { name: 'WebHook-Request-Origin', response: { status: 200, headers } }
  },
})

async function respondToGet(
  { name, when = {}, token: tokenField, echo }: NonNullable<SchemeValue['getCheck']>,
  query: string,
  token: string,
): Promise<Handshake | undefined> {
  const fields = new URLSearchParams(query)
  const only = (field: string) => {
    const found = fields.getAll(field)
    return found.length === 1 ? found[0] : undefined
  }
  if (!Object.entries(when).every(([field, value]) => only(field) === value)) return undefined
  // Without anything that recognises it, any GET would be one.
  if (tokenField === undefined && only(echo) === undefined) return undefined
  if (tokenField !== undefined && !(await areEqual(only(tokenField) ?? '', token))) {
    throw rejection('check_rejected', {
      what: `${tokenField} is not the \`verifyToken\` of this receiver: give both the same text`,
    })
  }
  const body = only(echo)
  if (body === undefined || !WORD.test(body)) {
    throw rejection('check_rejected', {
      what: `${echo} is not 1 to 256 letters, digits, dots, hyphens and underscores`,
    })
  }
  const headers = {
    'content-type': 'text/plain; charset=utf-8',
    'x-content-type-options': 'nosniff',
  }
  return { name, response: { status: 200, headers, body } }
}

/** In a time that does not tell how much of them is equal. */
async function areEqual(one: string, other: string): Promise<boolean> {
  const digest = async (text: string) => mac.sha256(new TextEncoder().encode(text))
  return mac.equal(await digest(one), await digest(other))
}
