import { BODY_FORMS } from './body-forms.ts'
import type { Cause } from './finding.ts'
import { MESSAGE_FORMS } from './message-forms.ts'
import { HASH_CAUSES } from './other-hash.ts'
import { POSSIBLE_FORMS } from './possible-forms.ts'
import { REQUEST_FORMS } from './request-forms.ts'
import { API_KEY, OTHER_SECRET, SECRET_FORMS, SERVICE_SECRET_FORMS } from './secret-forms.ts'
import { SIGNATURE_FORMS } from './signature-forms.ts'
import { TIMESTAMP_FORMS } from './timestamp-forms.ts'

/** Every cause that a diagnosis of the contract can name. */
export const CAUSES: readonly Cause[] = [
  ...SIGNATURE_FORMS,
  ...HASH_CAUSES,
  OTHER_SECRET,
  API_KEY,
  ...SECRET_FORMS,
  ...MESSAGE_FORMS,
  ...TIMESTAMP_FORMS,
  ...BODY_FORMS,
  ...POSSIBLE_FORMS,
]

/** Every cause with another scheme, besides those that it shares with the contract. */
export const SERVICE_CAUSES: readonly Cause[] = [...SERVICE_SECRET_FORMS, ...REQUEST_FORMS].filter(
  ({ code }) => CAUSES.every((cause) => cause.code !== code),
)
