/** Something that a handler may throw. */
export interface ThrownValue {
  readonly name: string
  /** Creates the value. Its only texts are `mark`, so that a test can search for it, and `hidden`, which nobody may print. */
  make(mark: string, hidden: string): unknown
  /** Reading it throws, so something else has to replace it. */
  readonly isUnreadable?: boolean
  /** Whether the value holds `mark`. */
  readonly isMarked?: boolean
}

/** Values that handlers throw by mistake or to choose the response. Most of them ask for another status than 500. */
export const thrownValues: readonly ThrownValue[] = [
  marked('an Error', (mark) => new Error(mark)),
  ...[200, 201, 202, 204, 302, 401, 404, 409, 422, 503].map((status) =>
    marked(`an Error with the status ${status}`, (mark) =>
      Object.assign(new Error(mark), { status, statusCode: status }),
    ),
  ),
  marked('an Error with headers', (mark) =>
    Object.assign(new Error(mark), {
      status: 401,
      headers: { 'set-cookie': `session=${mark}`, 'x-original': mark },
    }),
  ),
  marked('an Error that asks to be shown', (mark) =>
    Object.assign(new Error(mark), { status: 409, statusCode: 409, expose: true }),
  ),
  marked('an error of a client, with the status of the response that it got', (mark) =>
    Object.assign(new Error(mark), { name: 'WebhookApiError', status: 201, body: mark }),
  ),
  marked('an error of axios', axiosError),
  marked('an error of pg', postgresError),
  marked(
    'an Error whose cause is an error of axios',
    (mark, hidden) => new Error(mark, { cause: axiosError('', hidden) }),
  ),
  marked(
    'an AggregateError of errors of pg',
    (mark, hidden) => new AggregateError([postgresError('', hidden)], mark),
  ),
  marked('an Error that brings its own response', (mark) =>
    Object.assign(new Error(mark), { getResponse: () => ownResponse(mark, 401) }),
  ),
  marked('a frozen Error', (mark) =>
    Object.freeze(Object.assign(new Error(mark), { status: 200 })),
  ),
  marked('an Error whose cause has a status', (mark) =>
    Object.assign(new Error(mark, { cause: { status: 204 } }), { code: 'ENOENT' }),
  ),
  marked('a string', (mark) => mark),
  marked('a Symbol', (mark) => Symbol(mark)),
  marked('an object with a status', (mark) => ({ status: 204, statusCode: 204, message: mark })),
  plain('an object that brings its own response', (mark) => ({
    status: 201,
    getResponse: () => ownResponse(mark, 201),
  })),
  plain('a Response', (mark) => ownResponse(mark, 200)),
  plain('an object without a prototype', () => Object.create(null)),
  // biome-ignore lint/suspicious/noThenProperty: that is what is tried.
  plain('an object with a then()', () => ({ then: () => undefined })),
  plain('a function', () => () => undefined),
  ...[undefined, null, 0, '', false, true, 42, 10n, 'route', 'router'].map((value) =>
    plain(typeof value === 'string' ? `'${value}'` : `${value} (${typeof value})`, () => value),
  ),
  unreadable('an Error whose getters throw', (mark) => {
    const get = () => {
      throw new Error(mark)
    }
    // The stack first: it is made when it is looked at, or redefined, from what the others give.
    const getters = ['stack', 'name', 'message', 'status', 'statusCode', 'headers', 'expose']
    const properties = getters.map((key) => [key, { get, enumerable: true }])
    return Object.defineProperties(new Error(mark), Object.fromEntries(properties))
  }),
  unreadable(
    'an Error whose cause cannot be read',
    (mark) => new Error(mark, { cause: throwing(mark) }),
  ),
  unreadable('a Proxy that throws', throwing),
]

function marked(name: string, make: ThrownValue['make']): ThrownValue {
  return { name, make, isMarked: true }
}

function plain(name: string, make: ThrownValue['make']): ThrownValue {
  return { name, make }
}

function unreadable(name: string, make: ThrownValue['make']): ThrownValue {
  return { name, make, isUnreadable: true }
}

/** In the shape of `AxiosError`: the request that failed, its credentials included, and the response. */
function axiosError(mark: string, hidden: string): Error {
  const config = {
    headers: { Authorization: `Bearer ${hidden}` },
    data: JSON.stringify({ text: hidden }),
  }
  const request = { _header: `POST / HTTP/1.1\r\nAuthorization: Bearer ${hidden}`, res: {} }
  const response = {
    status: 401,
    headers: { 'set-cookie': [hidden] },
    data: hidden,
    config,
    request,
  }
  request.res = response
  const code = 'ERR_BAD_REQUEST'
  const own = {
    name: 'AxiosError',
    isAxiosError: true,
    code,
    status: 401,
    config,
    request,
    response,
  }
  return Object.assign(new Error(`Request failed with status code 401 ${mark}`), own)
}

/** In the shape of `DatabaseError`: what PostgreSQL says of the row. */
function postgresError(mark: string, hidden: string): Error {
  return Object.assign(new Error(`duplicate key value violates unique constraint ${mark}`), {
    name: 'error',
    code: '23505',
    detail: `Key (email)=(${hidden}) already exists.`,
    hint: hidden,
    where: `PL/pgSQL function f(${hidden}) line 3`,
    internalQuery: `SELECT '${hidden}'`,
    parameters: [hidden],
  })
}

function ownResponse(mark: string, status: number): Response {
  return new Response(mark, { status, headers: { 'set-cookie': mark, 'x-original': mark } })
}

/** Every operation on it throws. */
function throwing(mark: string): object {
  const fail = () => {
    throw new Error(mark)
  }
  const traps = ['get', 'set', 'has', 'ownKeys', 'getPrototypeOf', 'getOwnPropertyDescriptor']
  return new Proxy(new Error(mark), Object.fromEntries(traps.map((trap) => [trap, fail])))
}
