import { BODY_FORMS } from '../src/forms/body-forms.ts'
import type { Cause } from '../src/forms/finding.ts'
import { HEADER_FORMS } from '../src/forms/header-forms.ts'
import { MESSAGE_FORMS } from '../src/forms/message-forms.ts'
import { POSSIBLE_FORMS } from '../src/forms/possible-forms.ts'
import { API_KEY, OTHER_SECRET, SECRET_FORMS } from '../src/forms/secret-forms.ts'
import { SIGNATURE_FORMS } from '../src/forms/signature-forms.ts'
import { TIMESTAMP_FORMS } from '../src/forms/timestamp-forms.ts'
import { URL_FORM } from '../src/forms/url-forms.ts'

/** Every cause that a diagnosis can name. */
export const CAUSES: readonly Cause[] = [
  ...SIGNATURE_FORMS,
  OTHER_SECRET,
  API_KEY,
  ...SECRET_FORMS,
  ...MESSAGE_FORMS,
  ...TIMESTAMP_FORMS,
  ...BODY_FORMS,
  ...POSSIBLE_FORMS,
  ...HEADER_FORMS,
  URL_FORM,
]

/** Those of other schemes than the contract, whose headers hold an id, a timestamp and one signature, and whose secret is the key. */
export const SERVICE_CODES: readonly string[] = [
  'secret_not_decoded',
  ...[...HEADER_FORMS, URL_FORM].map(({ code }) => code),
]
