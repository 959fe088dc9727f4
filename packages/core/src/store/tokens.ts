/**
 * Creates a function that returns a new token for each claim. It makes one UUID at the first: not before, since a snapshot of the process
 * could be started many times.
 */
export function createTokens(): () => string {
  let uuid: string | undefined
  let claims = 0
  return () => {
    uuid ??= crypto.randomUUID()
    claims++
    return `${uuid}:${claims}`
  }
}
