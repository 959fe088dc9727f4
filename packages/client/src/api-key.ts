/**
 * Checks an API key without ever repeating it.
 *
 * @throws TypeError that says what to write.
 */
export function checkedApiKey(apiKey: unknown): string {
  if (apiKey === undefined) {
    throw new TypeError('`apiKey` is undefined: is its environment variable set?')
  }
  if (typeof apiKey !== 'string' || apiKey === '') {
    throw new TypeError('`apiKey` should be a string that is not empty.')
  }
  if (/^bearer\s/i.test(apiKey)) {
    throw new TypeError('`apiKey` begins with "Bearer": leave that out, because it is added.')
  }
  if (!/^[\x21-\x7e]+$/.test(apiKey)) {
    throw new TypeError(
      '`apiKey` has white space, a line break or a character outside ASCII in it, which a header cannot have: trim it where you read it.',
    )
  }
  if (apiKey.includes('://')) {
    throw new TypeError('`apiKey` is an address: are `apiKey` and `baseUrl` swapped?')
  }
  if (apiKey.startsWith('whsec_')) {
    throw new TypeError(
      '`apiKey` begins with "whsec_": that is the secret of a webhook, which must not be sent. Use the API key.',
    )
  }
  return apiKey
}
