/** Something that a handler may throw. Its only text is `mark`, which must not reach the sender. */
export interface ThrownValue {
  readonly name: string
  make(mark: string): unknown
}

/** What frameworks respond to by themselves: most of these ask for another status than 500. */
export const thrownValues: readonly ThrownValue[] = [
  {
    name: 'an Error with a status and headers',
    make: (mark) => {
      const headers = { 'set-cookie': mark, 'x-original': mark }
      return Object.assign(new Error(mark), { status: 401, statusCode: 401, expose: true, headers })
    },
  },
  {
    name: 'an Error that brings its own response',
    make: (mark) => Object.assign(new Error(mark), { getResponse: () => ownResponse(mark) }),
  },
  { name: 'an object with a status', make: (mark) => ({ statusCode: 204, message: mark }) },
  { name: 'a Response', make: ownResponse },
  ...[undefined, null, 'route'].map((value) => ({
    name: `${value} (${typeof value})`,
    make: () => value,
  })),
]

function ownResponse(mark: string): Response {
  return new Response(mark, { status: 201, headers: { 'set-cookie': mark, 'x-original': mark } })
}
