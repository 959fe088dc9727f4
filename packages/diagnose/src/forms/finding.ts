import type { Finding } from '@webhook-receiver/core/internal'

/** The codes of findings. docs/diagnosis.md has a row for each. */
export type DiagnosisCode =
  | 'valid'
  | 'unknown'
  | 'unfinished'
  | 'signature_missing'
  | 'signature_malformed'
  | 'signature_duplicated'
  | 'signature_upper_case'
  | 'signature_prefix_missing'
  | 'signature_white_space'
  | 'signature_prefix_other'
  | 'signature_base64'
  | 'signature_scheme'
  | 'signature_other_hash'
  | 'secret_other'
  | 'secret_api_key'
  | 'secret_white_space'
  | 'secret_quoted'
  | 'secret_prefix_missing'
  | 'secret_prefix_left_out'
  | 'secret_prefix_doubled'
  | 'secret_decoded'
  | 'secret_not_decoded'
  | 'secret_encoded'
  | 'message_body_alone'
  | 'message_without_dot'
  | 'message_with_id'
  | 'message_without_body'
  | 'timestamp_missing'
  | 'timestamp_duplicated'
  | 'timestamp_form'
  | 'timestamp_unit'
  | 'header_renamed'
  | 'header_changed'
  | 'url_other'
  | 'scheme_other'
  | 'body_reserialized'
  | 'body_escapes'
  | 'body_keys_sorted'
  | 'body_final_newline'
  | 'body_line_breaks'
  | 'body_trimmed'
  | 'body_bom'
  | 'body_recoded'
  | 'body_quoted'
  | 'body_base64'
  | 'body_inflated'
  | 'body_lossy'
  | 'body_length_changed'

/** A cause that a finding can name. */
export interface Cause {
  readonly code: DiagnosisCode
  /** Continues a sentence that begins with "The signature"; `{form}` is replaced by the form that was found. */
  readonly what: string
  readonly fix: string
}

/** A cause that is assumed, and in which form. */
export interface Assumption {
  readonly cause: Cause
  readonly form?: string | undefined
}

/** The finding for one or two assumptions under which the signature matches. */
export function finding(
  [first, second]: readonly [Assumption, (Assumption | undefined)?],
  certainty: Finding['certainty'],
  secretName?: string | undefined,
): Finding {
  const assumptions = second ? [first, second] : [first]
  const what = assumptions.map(({ cause, form = '' }) => cause.what.replace('{form}', form))
  const doubt = certainty === 'possible' ? ', which is possibly the cause' : ''
  return {
    code: first.cause.code,
    certainty,
    message: `The signature ${what.join(', and ')}${doubt}.`,
    fix: assumptions.map(({ cause }) => cause.fix).join(' '),
    ...(second && { also: second.cause.code }),
    ...(secretName !== undefined && { secretName }),
  }
}
