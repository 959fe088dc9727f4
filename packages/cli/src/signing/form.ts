import type { Scheme } from '@webhook-receiver/core'
import type { DefinedScheme } from '@webhook-receiver/schemes'

/** The Content-Type of a form. */
export const FORM = 'application/x-www-form-urlencoded'

/** Whether the service sends its deliveries as forms. */
export function sendsForms(scheme: Scheme): boolean {
  const { value }: Partial<DefinedScheme> = scheme
  return value?.signed.includes('form') === true
}
