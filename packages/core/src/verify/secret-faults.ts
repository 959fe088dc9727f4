import { processWide } from '../copies/process-wide.ts'
import { describeKind } from '../validate/describe.ts'
import type { Scheme } from './scheme.ts'

/** Below this, a secret is cut off, made up, or easily guessed. */
const FEW_CHARACTERS = 16

const SHORT = `has fewer than ${FEW_CHARACTERS} characters: was it cut off? One of your own should be long and random.`

const warned = processWide('warned', () => new Set<string>())

/**
 * Looks whether something else than the secret of the service was given.
 *
 * @throws TypeError where that cannot be the secret.
 */
export function checkKind(
  label: string,
  secret: string,
  { importBytes, secret: facts, title }: Pick<Scheme, 'importBytes' | 'secret' | 'title'>,
): void {
  const { called = 'the secret', begins = '', mistaken = {}, chosen = !facts } = facts ?? {}
  const fault = isEncoded(secret, begins)
    ? 'is still encoded in base64: decode it'
    : isPlaceholder(secret, begins)
      ? UNSET
      : DOUBTS.find(([form]) => form.test(secret))?.[1]
  // As a shared secret, a public key would let anyone sign.
  const wrongs = importBytes || begins ? { ...PEM, ...mistaken } : mistaken
  const wrong = Object.entries(wrongs).find(
    ([beginning]) => secret.startsWith(beginning) && !begins.startsWith(beginning),
  )
  if (fault && !wrong) tell(fault, `${label} ${fault}.`, chosen)
  if (!wrong && secret.startsWith(begins)) {
    if (secret.length < FEW_CHARACTERS && !fault && !facts?.isName)
      warnOnce('short', `${label} ${SHORT}`)
    return
  }
  const begun = begins && `, which begins with "${begins}"`
  const right = `Pass ${called}${title === undefined ? '' : ` of ${title}`}${begun}.`
  const seen = wrong
    ? `begins with "${wrong[0]}": that is ${wrong[1]}`
    : `does not begin with "${begins}": was it cut off? All of it is the key`
  tell(`${title} ${wrong?.[1]}`, `${label} ${seen}. ${right}`, chosen || !wrong)
}

/** What no shared secret begins with. */
export const PEM: Readonly<Record<string, string>> = {
  '-----BEGIN': 'a key or a certificate, and no shared secret',
}

function isEncoded(secret: string, begins: string): boolean {
  const whole = begins.slice(0, begins.length - (begins.length % 3))
  return begins.length > 3 && secret.startsWith(btoa(whole))
}

function isPlaceholder(secret: string, begins: string): boolean {
  // Examples of one service are copied for another.
  const own = [begins, 'whsec_'].find((beginning) => beginning && secret.startsWith(beginning))
  return PLACEHOLDER.test(secret.slice(own?.length ?? 0)) || /^\d$/.test(secret)
}

function tell(kind: string, message: string, isDoubtful: boolean): void {
  if (!isDoubtful) throw new TypeError(message)
  warnOnce(kind, message)
}

/** Once a process: there may be thousands of tenants, and a function is called for each request. */
export function warnOnce(kind: string, message: string): void {
  if (warned.has(kind)) return
  warned.add(kind)
  console.warn(`[webhook-receiver] ${message}`)
}

export type NamedSecret = readonly [name: string | undefined, secret: string]

export function labelOf(what: string, name: string | undefined): string {
  return name === undefined ? what : `${what} named "${name}"`
}

export function checkedSecrets(secrets: unknown, what: string): readonly NamedSecret[] {
  if (typeof secrets !== 'object' || secrets === null) {
    return [[undefined, checked(what, secrets)]]
  }
  const named = Object.entries(secrets)
  // What is iterated has no names: the entries of a Buffer are its bytes, and those of a String object its characters.
  if (named.length > 0 && !(Symbol.iterator in secrets)) {
    const given = named.filter(([name, secret]) => {
      // So that a rotation is two environment variables, and no change of code.
      if (secret !== undefined || named.every(([, other]) => other === undefined)) return true
      warnOnce('undefined', `${labelOf(what, name)} is undefined, so only the others are used.`)
      return false
    })
    return given.map(([name, secret]) => [name, checked(labelOf(what, name), secret)])
  }
  throw new TypeError(`${what} is ${describeKind(secrets)}: give the string, or several ${NAMED}.`)
}

function checked(what: string, secret: unknown): string {
  const fault = faultOf(secret)
  if (fault || typeof secret !== 'string') throw new TypeError(`${what} ${fault}`)
  return secret
}

function faultOf(secret: unknown): string | undefined {
  if (secret === undefined || secret === '') {
    return `is ${secret === '' ? 'empty' : 'undefined'}: ${IS_SET}?`
  }
  if (typeof secret !== 'string') {
    return `is ${describeKind(secret)}: give the string`
  }
  return MISTAKES.find(([form]) => form.test(secret))?.[1]
}

const NAMED = 'by name, such as { current, previous }'
export const IS_SET = 'is its environment variable set'
const UNSET = 'is a placeholder: set its variable'
const OF_VARIABLE = 'begins with the name of its variable: give only what is behind it'

/** What a configuration makes of a secret: no service has such ones. */
const MISTAKES: readonly (readonly [form: RegExp, fault: string])[] = [
  [/^(["'`]).*\1$/s, 'is in quotes: remove them'],
  // A public key in PEM has several lines, the last of which may end with a line break.
  [/^(?!\s*-----BEGIN )(?:\s|.*(?:\s$|[\n\r]))/s, 'has white space around it: trim it'],
  [
    /^(?:\$[({].*[)}]|\$[A-Z_]+|(%|__)[A-Z_]+\1|\{\{.*\}\}|<.*>)$|^(?:process|import\.meta|Deno|Bun)\.env\b/,
    UNSET,
  ],
  [/^(?:undefined|null|\[object \w+\])$/, `is the text of a missing value: ${IS_SET}?`],
  [/^[A-Z\d_]*_SECRET=/, OF_VARIABLE],
  [
    // Encoded, half of a character would be U+FFFD, as any other half is.
    /[\u200b-\u200f\u2060\ufeff\p{Surrogate}]|(?!\s)\p{Control}/u,
    'contains an invisible character: copy it again',
  ],
]

/** What looks like a mistake, but a secret that somebody made up may have it: a warning and no error. */
const DOUBTS: typeof MISTAKES = [
  [/^["'`]|["'`]$/, 'has a quotation mark at one end: remove it'],
  [/^(?!\s*-----BEGIN ).*\\[nr]$/s, 'ends with a line break written as text: remove it'],
  // Base64 has "=" at its end only.
  [/^(?:export )?[a-z_]\w*(?:=|: )[^=\s]/i, OF_VARIABLE],
  [/^Bearer /i, 'begins with "Bearer": give only what is behind it'],
  [/^[[{]\s*".*[\]}]$/s, 'is JSON: parse it, and give the text in it'],
  [
    // Of 1Password, AWS, Google, Azure, Vault, SOPS, Docker and Kubernetes. The ARN of a topic is what SNS has instead of a secret.
    /^(?:(?:op|https?):\/\/|arn:aws[\w-]*:(?:secretsmanager|ssm):|projects\/.+\/secrets\/|@Microsoft\.KeyVault\(|(?:ref\+)?vault:|ENC\[|(?:file:\/\/)?\/(?:[\w.-]+\/)*(?:secrets|etc)\/)/,
    'says where a secret is kept: read it from there',
  ],
  [
    /(?:whsec_|-----BEGIN ).+(?:whsec_|-----BEGIN )|^[^\s,;|]{8,}(?:\s*[,;|]\s*|\s+)[^\s,;|]{8,}$/s,
    `holds two secrets: pass them ${NAMED}`,
  ],
]

/** What stands in an example of a configuration, or for something hidden: alone, or behind the beginning of a secret. */
const PLACEHOLDER =
  /^(?:(?:change|replace|fill)[ _-]?(?:me|this|it|with|in)(?:[^a-z].*)?|\W*your[ _-].*|(?:insert|put|enter|paste)[ _-].*here|todo|tbd|placeholder|\W*(?:redacted|hidden)\W*|n\/a|undefined|null|none|nil|nan|true|false|yes|no|on|off|[x*•.…#?_-]{3,}|…)$/i
