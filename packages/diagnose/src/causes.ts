import { BODY_FORMS } from './body-forms.ts'
import type { Cause } from './finding.ts'
import { MESSAGE_FORMS } from './message-forms.ts'
import { HASH_CAUSES } from './other-hash.ts'
import { POSSIBLE_FORMS } from './possible-forms.ts'
import { API_KEY, OTHER_SECRET, SECRET_FORMS } from './secret-forms.ts'
import { SIGNATURE_FORMS } from './signature-forms.ts'
import { TIMESTAMP_FORMS } from './timestamp-forms.ts'

/** Every cause that a diagnosis can name. */
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
