/** The codes of findings. docs/diagnosis.md has a row for each. */
export type DiagnosisCode =
  | 'valid'
  | 'unknown'
  | 'unfinished'
  | 'signature_missing'
  | 'signature_duplicated'
  | 'signature_upper_case'
  | 'signature_prefix_missing'
  | 'signature_white_space'
  | 'signature_prefix_other'
  | 'signature_base64'
  | 'signature_scheme'
  | 'signature_other_hash'
  | 'signature_not_hmac'
  | 'signature_truncated'
  | 'secret_other'
  | 'secret_api_key'
  | 'secret_white_space'
  | 'secret_quoted'
  | 'secret_prefix_missing'
  | 'secret_prefix_left_out'
  | 'secret_prefix_doubled'
  | 'secret_decoded'
  | 'secret_encoded'
  | 'secret_case'
  | 'message_body_alone'
  | 'message_without_dot'
  | 'message_with_id'
  | 'message_reversed'
  | 'message_versioned'
  | 'message_without_body'
  | 'timestamp_missing'
  | 'timestamp_duplicated'
  | 'timestamp_form'
  | 'timestamp_from_body'
  | 'timestamp_shifted'
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
  | 'body_url_encoded'
  | 'body_compressed'
  | 'body_inflated'
  | 'body_lossy'
  | 'body_length_changed'

export interface Finding {
  readonly code: DiagnosisCode
  /** `'certain'` if a complete MAC is equal; `'possible'` if the request only looks like it. */
  readonly certainty: 'certain' | 'possible'
  /** What was found, in one sentence. Contains no secret, no signature and no part of the body. */
  readonly message: string
  /** What to do. */
  readonly fix: string
  /** A second cause, if the signature only matches with both. */
  readonly also?: DiagnosisCode
  /** The name of the secret that matched, if it has a name. */
  readonly secretName?: string
}

/** The findings, the most likely first. Never empty: if nothing matches, there is one finding, `unknown` or `unfinished`. */
export type Diagnosis = readonly [Finding, ...Finding[]]
