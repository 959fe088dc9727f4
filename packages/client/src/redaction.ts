/** Takes a credential out of a text. */
export type Redact = (text: string) => string

/** In characters. Anything shorter is no real credential, and appears in unrelated words. */
const SHORTEST_CREDENTIAL = 8

/** How often escapes are undone: JSON within JSON within a URL takes three times. */
const MAX_LAYERS = 4

const ESCAPE = /%([\da-f]{2})|\\u([\da-f]{4})|\\(["\\/])/gi

/** Replaces a credential by `mask`, and the whole text if it contains the credential percent-encoded or escaped in JSON. */
export function redaction(credential: string, mask: string): Redact {
  if (credential.length < SHORTEST_CREDENTIAL) return (text) => text
  const forms = unescapedForms(credential)
  return (text) => {
    const left = text.replaceAll(credential, () => mask)
    const hidden = unescapedForms(left).some((layer) => forms.some((form) => layer.includes(form)))
    return hidden ? mask : left
  }
}

/** The text, and what it becomes each time its escapes are undone. */
function unescapedForms(text: string): readonly string[] {
  const forms = [text]
  for (let last = text; forms.length <= MAX_LAYERS; forms.push(last)) {
    last = last.replace(ESCAPE, (_, percent?: string, unicode?: string, character?: string) => {
      return character ?? String.fromCharCode(Number.parseInt(percent ?? unicode ?? '', 16))
    })
  }
  return forms
}

/** Takes out everything that looks like the secret of a webhook. */
export const withoutSecrets: Redact = (text) => text.replace(/whsec_[^\s"'<>&,;]*/g, '[a secret]')
