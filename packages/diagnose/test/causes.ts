import {
  SIGNATURE_MISTAKES,
  SIGNED_MISTAKES,
  TIME_MISTAKES,
  WRITTEN_MISTAKES,
} from '@webhook-receiver/schemes/neighbours'
import { BODY_FORMS } from '../src/forms/body-forms.ts'
import type { Cause } from '../src/forms/finding.ts'
import { HEADER_FORMS } from '../src/forms/header-forms.ts'
import { POSSIBLE_FORMS } from '../src/forms/possible-forms.ts'
import { API_KEY, OTHER_SECRET, SECRET_FORMS } from '../src/forms/secret-forms.ts'
import { URL_FORM } from '../src/forms/url-forms.ts'

/** Every cause that a diagnosis can name. */
export const CAUSES: readonly Pick<Cause, 'code' | 'what' | 'fix'>[] = [
  ...WRITTEN_MISTAKES,
  ...SIGNATURE_MISTAKES,
  OTHER_SECRET,
  API_KEY,
  ...SECRET_FORMS,
  ...SIGNED_MISTAKES,
  ...TIME_MISTAKES,
  ...BODY_FORMS,
  ...POSSIBLE_FORMS,
  ...HEADER_FORMS,
  URL_FORM,
]

/** Those that the default format cannot have. */
export const SERVICE_CODES: readonly string[] = [
  'secret_not_decoded',
  'message_without_header',
  'message_without_timestamp',
  'message_without_url',
  'signature_field',
  'timestamp_unit',
  ...[...HEADER_FORMS, URL_FORM].map(({ code }) => code),
]
