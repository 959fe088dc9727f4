/** The instant that deliveries are signed at, in milliseconds since the epoch. */
export const NOW = 1_773_144_000_000

export const EVENTS = [
  ...['received', 'sent', 'delivered', 'read', 'failed'].map((name) => `message.${name}`),
  ...['instance.connected', 'instance.disconnected'],
]

const SECRETS = {
  plain: 'whsec_4f1c9a60b2d84f5f9d0c',
  short: 'whsec_',
  long: `whsec_${'0123456789abcdef'.repeat(9)}`,
  block: `whsec_${'b'.repeat(58)}`,
  wide: 'whsec_Schlüssel-鍵-🔑',
}

/** A secret that no receiver has. */
export const FOREIGN = 'whsec_4f1c9a60b2d84f5f9d0d'

/** Marks the content. Rejects content with `extra`, and throws for content with `throws`. */
const schema = {
  '~standard': {
    version: 1,
    vendor: 'fuzz',
    validate(content) {
      if (Object.hasOwn(content, 'throws')) throw new Error('on purpose')
      if (Object.hasOwn(content, 'extra')) return { issues: [{ message: 'has extra' }] }
      return { value: { marked: true, content } }
    },
  },
}

const schemas = Object.fromEntries(
  EVENTS.filter((event) => event.startsWith('message')).map((event) => [event, schema]),
)

/** One secret without a name. */
const only = (secret) => [[undefined, secret]]

const rotation = Object.entries({
  current: SECRETS.plain,
  previous: SECRETS.long,
  oldest: SECRETS.wide,
})

/** One secret under two names: the first one is reported. */
const twoNames = Object.entries({ a: SECRETS.block, b: SECRETS.block })

/** The receivers that get the requests. `asked`: the secrets come from a function; `fails`: it throws. */
export const RECEIVERS = [
  { secrets: only(SECRETS.plain), options: {} },
  { secrets: only(SECRETS.short), options: { limit: 512 } },
  { secrets: rotation, options: { tolerance: 60 } },
  { secrets: twoNames, options: { tolerance: 0 } },
  { secrets: only(SECRETS.wide), options: { tolerance: Number.POSITIVE_INFINITY } },
  { secrets: only(SECRETS.long), options: { tolerance: 0.5, extraEvents: ['message.new'] } },
  { secrets: [['tenant', SECRETS.plain]], options: { limit: 16_400 }, asked: true },
  { secrets: [['tenant', SECRETS.plain]], options: {}, asked: true, fails: true },
  {
    secrets: only(SECRETS.plain),
    options: { schemas },
  },
  {
    secrets: only(SECRETS.block),
    options: { schemas, schemaMismatch: 'reject' },
  },
].map(({ secrets, options, asked = false, fails = false }, index) => ({
  secrets,
  options,
  asked,
  fails,
  // A hook takes as long as a verification, so not every receiver has one.
  hasHook: index % 3 === 0,
  tolerance: options.tolerance ?? 300,
  limit: options.limit ?? 1_048_576,
  known: new Set([...EVENTS, ...(options.extraEvents ?? [])]),
  schemas: options.schemas ?? {},
}))

/** What the receiver is created with: the secrets, or a function that returns them. */
export function secretSourceOf({ secrets, asked, fails }) {
  const [[name, secret]] = secrets
  const given = name === undefined ? secret : Object.fromEntries(secrets)
  if (!asked) return given
  return async () => {
    if (fails) throw new Error('the vault is closed')
    return given
  }
}
