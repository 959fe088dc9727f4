/** The instant that deliveries are signed at, in milliseconds since the epoch. */
export const NOW = 1_773_144_000_000

export const EVENTS = [
  'message.received',
  'message.sent',
  'message.delivered',
  'message.read',
  'message.failed',
  'instance.connected',
  'instance.disconnected',
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

/** Takes content that is not marked, and marks it; throws where it is told to. */
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

/**
 * The receivers that are tried. `secrets` are those that the receiver has, by name; `options` are its own.
 */
export const SETUPS = [
  { secrets: [[undefined, SECRETS.plain]], options: {} },
  { secrets: [[undefined, SECRETS.short]], options: { limit: 512 } },
  {
    secrets: [
      ['current', SECRETS.plain],
      ['previous', SECRETS.long],
      ['oldest', SECRETS.wide],
    ],
    options: { tolerance: 60 },
  },
  // The same secret under two names: the first one is reported.
  {
    secrets: [
      ['a', SECRETS.block],
      ['b', SECRETS.block],
    ],
    options: { tolerance: 0 },
  },
  { secrets: [[undefined, SECRETS.wide]], options: { tolerance: Number.POSITIVE_INFINITY } },
  {
    secrets: [[undefined, SECRETS.long]],
    options: { tolerance: 0.5, extraEvents: ['message.new'] },
  },
  { secrets: [['tenant', SECRETS.plain]], options: { limit: 16_400 }, asked: true },
  { secrets: [['tenant', SECRETS.plain]], options: {}, asked: true, fails: true },
  {
    secrets: [[undefined, SECRETS.plain]],
    options: { schemas: { 'message.failed': schema, 'message.sent': schema } },
  },
  {
    secrets: [[undefined, SECRETS.block]],
    options: { schemas: { 'message.failed': schema }, schemaMismatch: 'refuse' },
  },
].map(({ secrets, options, asked = false, fails = false }, index) => ({
  index,
  secrets,
  options,
  asked,
  fails,
  // Telling costs as much as judging, so not everywhere.
  told: index % 3 === 0,
  tolerance: options.tolerance ?? 300,
  limit: options.limit ?? 1_048_576,
  known: new Set([...EVENTS, ...(options.extraEvents ?? [])]),
  schemas: options.schemas ?? {},
}))

/** What the receiver is made with: the secrets themselves, or a function that gives them. */
export function sourceOf({ secrets, asked, fails }) {
  const [[name, only]] = secrets
  const given = name === undefined ? only : Object.fromEntries(secrets)
  if (!asked) return given
  return fails
    ? () => {
        throw new Error('the vault is closed')
      }
    : async () => given
}
