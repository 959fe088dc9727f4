/** Something that a handler may throw. Its only text is `mark`, which must not reach the sender. */
export interface ThrownValue {
  readonly name: string
  make(mark: string): unknown
}

const withStatus = (status: number) => (mark: string) =>
  Object.assign(new Error(mark), { status, statusCode: status, expose: true })

/** What frameworks respond to by themselves: most of these ask for another status than 500. */
export const thrownValues: readonly ThrownValue[] = [
  { name: 'an Error', make: (mark) => new Error(mark) },
  ...[200, 302, 401, 503].map((status) => ({
    name: `an Error with the status ${status}`,
    make: withStatus(status),
  })),
  {
    name: 'an Error with headers',
    make: (mark) =>
      Object.assign(withStatus(401)(mark), { headers: { 'set-cookie': mark, 'x-original': mark } }),
  },
  {
    name: 'an Error that brings its own response',
    make: (mark) => Object.assign(new Error(mark), { getResponse: () => ownResponse(mark) }),
  },
  { name: 'a frozen Error', make: (mark) => Object.freeze(withStatus(200)(mark)) },
  { name: 'an object with a status', make: (mark) => ({ statusCode: 204, message: mark }) },
  { name: 'a Response', make: ownResponse },
  // biome-ignore lint/suspicious/noThenProperty: that is what is tried.
  { name: 'an object with a then()', make: () => ({ then: () => undefined }) },
  ...[undefined, null, '', 'route', 'router'].map((value) => ({
    name: `${value} (${typeof value})`,
    make: () => value,
  })),
]

function ownResponse(mark: string): Response {
  return new Response(mark, { status: 201, headers: { 'set-cookie': mark, 'x-original': mark } })
}
