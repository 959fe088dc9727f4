/**
 * What a runtime does otherwise than a test or a vector expects, one by one. A run is wrong where something else
 * differs, where one of these differs otherwise, and where one does not differ any more.
 */

/** The name of what fails where a file fails before it has any test. */
export const WHOLE_FILE = 'the whole file'

/** Of the tests of core, by kind of runtime. */
export const TEST_DEVIATIONS = {
  node: [
    {
      file: /^schemes\/(secret|web-backend)\.test/,
      name: /verifies a signature that is the same for many contents/,
      why: 'Node 26 verifies nothing by such a key, so the test cannot show first what the key would verify',
    },
  ],
  bun: [
    {
      file: /^schemes\/(secret|web-backend)\.test/,
      name: /an RSA key of 3072 bits costs little/,
      why: 'Bun itself takes no exponent of so many bits, and the test expects our words',
    },
    {
      file: /^(request\/web-request|verify\/web-backend)\.test/,
      name: /because it is locked is the receiver’s fault/,
      why: '`bodyUsed` of a Request is true as soon as its body is locked; the test first asserts that it is not',
    },
    {
      file: /^store\/memory-store\.test/,
      name: /gives the memory of marks back/,
      why: 'it asks V8 to collect garbage, and Bun runs on another engine',
    },
  ],
  deno: [
    {
      file: /^verify\/one-shot\.test/,
      name: /in reach through the memory of another Buffer/,
      why: '`createHmac`, which the test itself calls, keeps the two blocks of its key in the pool of Buffer',
    },
    {
      file: /^schemes\/(secret|web-backend)\.test/,
      name: /verifies a signature that is the same for many contents|no point of the curve is a TypeError/,
      why: 'Deno takes no Ed25519 key that is not a point in its only spelling, so the test cannot show first what such a key would verify',
    },
    {
      file: /^schemes\/(secret|web-backend)\.test/,
      name: /an RSA key of (4104|3072) bits costs little/,
      why: 'Deno itself takes no modulus above 4096 bits and no long exponent, and the test expects our words',
    },
  ],
  workerd: [
    {
      file: /^contract\/timestamp\.test/,
      name: /where the process runs in/,
      why: 'the time zone of a Worker is UTC and cannot be set',
    },
    {
      file: /^(run\/lease|reject\/stderr-report)\.test/,
      name: /keeps no process alive$/,
      why: 'it asks `process.getActiveResourcesInfo`, which workerd has not implemented',
    },
    {
      file: /^store\/memory-store\.test/,
      name: /gives the memory of marks back/,
      why: 'it asks V8 to collect garbage, which a Worker may not',
    },
    {
      file: /^diagnose\/diagnose\.test/,
      name: /has a row for each code/,
      why: 'it reads a document from disk, and a Worker has no disk',
    },
    {
      file: /^(contract-only|vectors|verify\/web-backend|diagnose\/services)\.test/,
      name: /^the whole file$/,
      why: 'it reads from disk; the vectors are played to a Worker in any case',
    },
    {
      file: /^schemes\/cost\.test/,
      name: /^one MAC serves ten signatures$/,
      why: 'it counts calls of `node:crypto`, and the MAC is WebCrypto here',
    },
    {
      file: /^schemes\/late-key\.test/,
      name: /is made once for a store|is a property like the others|whose memory was given away|is there at once for a `duplicates` function/,
      why: 'WebCrypto makes a key before the handler, and not when it is read',
    },
    {
      file: /^schemes\/aws-sns\.test/,
      name: /is asked for once, without redirects|is confirmed once/,
      why: 'a request in a Worker cannot wait for what another has begun, so each asks for itself',
    },
    {
      file: /^schemes\/(compose|published-table)\.test/,
      name: /whatever the sample says|what is known of each service/,
      why: 'it reads samples from disk, and a Worker has no disk',
    },
    {
      file: /^schemes\/(secret|web-backend)\.test/,
      name: /an RSA key of \d+ bits costs little/,
      why: 'BoringSSL itself takes neither a long exponent nor this modulus, and the test expects our words',
    },
    {
      file: /^diagnose\/neighbours\.test/,
      name: /nine in ten get a certain cause/,
      why: 'it asks `process.cpuUsage`, which workerd has not implemented',
    },
    {
      file: /^handling\/reply\.test/,
      name: /plain data of another realm/,
      why: 'it makes another realm by `node:vm`, which a Worker has not',
    },
  ],
}

/** Vectors by id that are seen as `saw`; with `always: false` not each time, or not everywhere. */
const seen = (saw, why, ids, always = true) =>
  ids.split(' ').map((id) => [id, { saw, why, always }])

const lengths = seen(
  '204',
  'two Content-Length lines that agree are taken for one (RFC 9110, 8.6)',
  'length-twice-equal',
)
const expectation = seen(
  '204',
  'an unknown Expect gets no response (RFC 9110, 10.1.1)',
  'expect-unknown',
)
const bareLines = seen('204', 'lines may end in LF alone (RFC 9112, 2.2)', 'lines-bare-lf')
const longHeads = (ids) => seen('204', 'a head of this size is let through', ids)

/** What the HTTP server of a runtime does before the receiver is asked. */
const SERVERS = {
  bun: [
    ...lengths,
    ...expectation,
    ...seen('505', 'it is rejected by another status', 'lines-bare-lf line-http-0-9'),
    ...seen('closed', 'a connection that is half closed is closed', 'half-closed', false),
    ...seen(
      'closed',
      'a connection is closed where a request comes before the response to the one in front',
      'pipelined-10 pipelined-header pipelined-mac pipelined-body',
      false,
    ),
  ],
  deno: [
    ...lengths,
    ...expectation,
    ...bareLines,
    ...longHeads('header-17000 path-20000'),
    ...seen(
      '400',
      'a half-closed connection is taken for one that broke off inside the body, if that was not read yet',
      'half-closed',
      false,
    ),
    ...seen('204', 'a request without Host is let through', 'host-missing'),
    ...seen(
      '404',
      'a method in lower case is passed on: no route of Hono has it',
      'line-lower-case',
      false,
    ),
    ...seen(
      'timeout',
      'HTTP/2 is spoken on the same port, and its preface alone gets no response',
      'preface-http-2',
    ),
  ],
  workerd: [
    ...lengths,
    ...expectation,
    ...bareLines,
    ...longHeads('header-17000 headers-2100 headers-2100-small path-20000'),
    ...seen(
      '204',
      'Transfer-Encoding overrides Content-Length (RFC 9112, 6.3)',
      'length-and-chunked chunked-and-length',
    ),
    ...seen('204', 'Transfer-Encoding twice is taken for once', 'transfer-twice'),
  ],
}

/** Of the vectors that are played to an example. */
export const VECTOR_DEVIATIONS = {
  'hono-workers': SERVERS.workerd,
  bun: SERVERS.bun,
  deno: SERVERS.deno,
  elysia: SERVERS.bun,
  sveltekit: seen(
    '403',
    'SvelteKit rejects a POST without Content-Type, or with that of a form or of plain text, as one from another site (CSRF)',
    `header-values-spaced headers-all-missing signature-twice signature-right-wrong signature-wrong-right signature-right-empty \
signature-ten-times signature-twice-two-cases timestamp-twice timestamp-twice-joined timestamp-fresh-stale timestamp-stale-fresh \
type-none type-text type-form type-multipart type-malformed-empty trailer-signature trailer-replaces-signature empty-line-first`,
  ),
  nextjs: [
    ...seen('308', 'Next.js redirects where the request line holds a whole URL', 'path-whole-url'),
    ...seen(
      '500',
      'Next.js fails where the request line holds an asterisk',
      'path-unsigned-asterisk',
    ),
    ...seen(
      '400',
      'Next.js rejects a method that it does not know by another status',
      'with-propfind',
    ),
  ],
}
