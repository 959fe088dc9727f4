/**
 * Checks at start what Nest and its platforms do not promise to have: without it, a body parser would read the deliveries, and
 * each would get status 500.
 *
 * @throws TypeError that names what is missing.
 */
export function assertHas(
  owner: string,
  target: unknown,
  kinds: Readonly<Record<string, 'function' | 'object'>>,
): void {
  for (const [name, kind] of Object.entries(kinds)) {
    if (typeof Object(target)[name] === kind) continue
    throw new TypeError(
      `WebhookModule cannot keep the body parsers away from deliveries: ${owner} has no ${kind} "${name}". ` +
        'It works with Nest 11 and 12 on Express 5 or Fastify 5: is another version installed, or an adapter in place of theirs?',
    )
  }
}
