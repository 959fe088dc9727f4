/** The values of each field of a form (application/x-www-form-urlencoded). */
export type Form = ReadonlyMap<string, readonly string[]>

// Percent-encoding is ASCII; a byte order mark would be part of a name.
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** What services need whose bodies are forms, or are signed as forms. */
export interface Forms {
  /** `undefined` where a body is not a form. */
  readonly parse: (body: Uint8Array) => Form | undefined
  /** What is signed of it. */
  readonly text: (form: Form) => string
  /** What handlers get. */
  readonly data: (form: Form) => Readonly<Record<string, unknown>>
}

/** A form is parsed before it is known who sent it. */
const MOST_FIELDS = 1000

/** Reads forms, for the schemes that have them. */
export const forms: Forms = { parse: parseForm, text: formText, data: formData }

/** The fields of a body, or `undefined` where it is not a form. Invalid UTF-8 is not replaced: two bodies would have one signature. */
function parseForm(body: Uint8Array): Form | undefined {
  const form = new Map<string, string[]>()
  try {
    const pairs = decoder.decode(body).split('&', MOST_FIELDS + 1)
    if (pairs.length > MOST_FIELDS) return undefined
    for (const pair of pairs) {
      if (pair === '') continue
      const [name = '', ...value] = pair.split('=')
      const key = unescaped(name)
      const values = form.get(key) ?? []
      values.push(unescaped(value.join('=')))
      form.set(key, values)
    }
    return form
  } catch {
    return undefined
  }
}

function unescaped(text: string): string {
  return decodeURIComponent(text.replaceAll('+', ' '))
}

/** Sorted by name, each name followed by its value; equal values of one name count once, as Twilio's SDK has it. */
function formText(form: Form): string {
  return [...form.keys()]
    .sort()
    .flatMap((name) => [...new Set(form.get(name))].sort().map((value) => name + value))
    .join('')
}

/** The fields as an object; those with several values are arrays. */
function formData(form: Form): Readonly<Record<string, unknown>> {
  const fields = [...form].filter(([name]) => name !== '__proto__')
  return Object.fromEntries(
    fields.map(([name, values]) => [name, values.length > 1 ? values : values[0]]),
  )
}
