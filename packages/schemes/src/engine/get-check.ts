import type { Handshake } from '@webhook-receiver/core'
import { mac, rejection } from '@webhook-receiver/core/internal'
import type { SchemeValue } from '../value.ts'

/** Responds to a check by GET. */
export type GetChecks = (
  check: NonNullable<SchemeValue['getCheck']>,
  query: string,
  token: string,
) => Promise<Handshake | undefined>

/** What is sent back to anybody who knows the token: nothing that a browser or a shell could take for more than a word. */
const WORD = /^[\w.-]{1,256}$/

export const getChecks: GetChecks = async (
  { name, when, token: tokenField, echo },
  query,
  token,
) => {
  const fields = new URLSearchParams(query)
  const only = (field: string) => {
    const found = fields.getAll(field)
    return found.length === 1 ? found[0] : undefined
  }
  if (!Object.entries(when).every(([field, value]) => only(field) === value)) return undefined
  if (!(await areEqual(only(tokenField) ?? '', token))) {
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
  const [first, second] = await Promise.all(
    [one, other].map((text) => mac.sha256(new TextEncoder().encode(text))),
  )
  let difference = 0
  for (const [at, byte] of (first ?? []).entries()) difference |= byte ^ (second?.[at] ?? 256)
  return difference === 0
}
