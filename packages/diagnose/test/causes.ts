import {
  SECRET_MISTAKES,
  SIGNATURE_MISTAKES,
  SIGNED_MISTAKES,
  TIME_MISTAKES,
  WRITTEN_MISTAKES,
} from '@webhook-receiver/schemes/neighbours'
import { BODY_FORMS } from '../src/forms/body-forms.ts'
import type { Cause } from '../src/forms/finding.ts'
import { HEADER_FORMS } from '../src/forms/header-forms.ts'
import { POSSIBLE_FORMS } from '../src/forms/possible-forms.ts'
import { API_KEY, OTHER_SECRET } from '../src/forms/secrets.ts'
import { URL_FORM } from '../src/forms/url-forms.ts'
import { CUT } from '../src/search/readings.ts'

/** Every cause that a diagnosis can name. */
export const CAUSES: readonly Pick<Cause, 'code' | 'what' | 'fix'>[] = [
  ...WRITTEN_MISTAKES,
  CUT,
  ...SIGNATURE_MISTAKES,
  OTHER_SECRET,
  API_KEY,
  ...SECRET_MISTAKES,
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
  'secret_decoded_twice',
  'message_without_header',
  'message_without_timestamp',
  'message_without_url',
  'message_form_as_sent',
  'signature_padding',
  'signature_field',
  'timestamp_unit',
  ...[...HEADER_FORMS, URL_FORM].map(({ code }) => code),
]
