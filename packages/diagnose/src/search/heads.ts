import type { RequestHead, Scheme, WebhookError } from '@webhook-receiver/core'
import { isWebhookError } from '@webhook-receiver/core/adapter'
import type { Assumption } from '../forms/finding.ts'
import { HEADER_FORMS, type SignedRequest } from '../forms/header-forms.ts'
import { URL_FORM } from '../forms/url-forms.ts'
import type { Part } from './signing.ts'

/** The heads of a request that its scheme can read. */
export interface ReadableHeads {
  readonly asSent: readonly Part<RequestHead>[]
  readonly others: readonly (Part<RequestHead> & { readonly assumption: Assumption })[]
  /** Why the head as it was sent cannot be read. */
  readonly fault: WebhookError | undefined
}

export function readableHeads(scheme: Scheme, head: RequestHead): ReadableHeads {
  const request: SignedRequest = { ...head, names: scheme.headers }
  const fault = faultOf(scheme, request)
  // Another URL repairs no header, and there are hundreds.
  const forms = fault ? HEADER_FORMS : [...HEADER_FORMS, URL_FORM]
  const others = forms.flatMap((cause) =>
    cause
      .variants(request)
      .filter((variant) => !faultOf(scheme, variant.request))
      .map(({ name: form, request: value }) => ({ value, assumption: { cause, form } })),
  )
  return { asSent: fault ? [] : [{ value: request }], others, fault }
}

function faultOf(scheme: Scheme, request: RequestHead): WebhookError | undefined {
  try {
    scheme.readHead(request)
    return undefined
  } catch (error) {
    if (isWebhookError(error)) return error
    throw error
  }
}
