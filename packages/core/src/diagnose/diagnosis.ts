import type { HeaderLookup } from '../verify/headers.ts'

/** Headers as they are at hand: a look-up, `Headers`, an object, or pairs in which a name may come twice. */
export type DiagnosisHeaders =
  | HeaderLookup
  | Headers
  | Iterable<readonly [name: string, value: string]>
  | Readonly<Record<string, string | readonly string[] | undefined>>

/** A request whose signature does not match, and what it was verified with. */
export interface DiagnosisInput {
  readonly headers: DiagnosisHeaders
  /** The body as received. Without one, only the shape of the headers is judged, and nothing is certain. */
  readonly body?: Uint8Array | undefined
  /** One secret, or several by name, as the receiver was given them. */
  readonly secrets: string | Readonly<Record<string, string>>
  /** The key for calls to the service, which is easily taken for the secret. */
  readonly apiKey?: string | undefined
  /** Secrets of other webhooks, by name. */
  readonly otherSecrets?: Readonly<Record<string, string>> | undefined
}

/** What a diagnosis can say: a row each in docs/diagnosis.md. */
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
  /** `'certain'` where a whole MAC was found equal; `'possible'` where the request only looks like it. */
  readonly certainty: 'certain' | 'possible'
  /** What was found, in one sentence. Holds no secret, no signature and nothing of the body. */
  readonly message: string
  /** What to do. */
  readonly fix: string
  /** A second cause that had to be assumed together with the first. */
  readonly also?: DiagnosisCode
  /** The name of the secret by which it was found, where that has one. */
  readonly secretName?: string
}

/** The findings, the most likely first. Never empty: where nothing fits, the one finding is `unknown`. */
export type Diagnosis = readonly [Finding, ...Finding[]]

/** A cause that can be named. */
export interface Cause {
  readonly code: DiagnosisCode
  /** Goes on from "The signature"; `{form}` stands for the form that was found. */
  readonly what: string
  readonly fix: string
}

/** A cause, in the form in which it was assumed. */
export interface Assumption {
  readonly cause: Cause
  readonly form?: string | undefined
}

/** The finding for one or two assumptions under which the signature is right. */
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
