import type { Encoding, KeyForm } from '../value.ts'
import type { Form } from './form.ts'
import type { Method } from './method.ts'

/** What only some services need. Their values name it, so that a bundle for the others does not hold it. */
export interface Extras {
  /** For bodies that are forms, or signed as forms. */
  readonly forms?: Forms | undefined
  /** For all algorithms but HMAC-SHA256. */
  readonly methods?: ((key: KeyForm, encoding: Encoding) => Method) | undefined
}

export interface Forms {
  /** `undefined` where a body is not a form. */
  readonly parse: (body: Uint8Array) => Form | undefined
  /** What is signed of it. */
  readonly text: (form: Form) => string
  /** What handlers get. */
  readonly data: (form: Form) => Readonly<Record<string, unknown>>
}
