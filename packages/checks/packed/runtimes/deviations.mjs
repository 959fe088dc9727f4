/**
 * What a runtime does otherwise than a test or a vector expects, one by one. A run is wrong where something else
 * differs, where one of these differs otherwise, and where one does not differ any more.
 */

/** @typedef {{ file: RegExp, name: RegExp, why: string }} TestDeviation */

/** @typedef {{ saw: string, why: string, always?: false }} VectorDeviation */

/** The name of what fails where a file fails before it has any test. */
export const WHOLE_FILE = 'the whole file'

/** Of the tests of core, by kind of runtime. */
export const TEST_DEVIATIONS = {
  node: [],
  bun: [
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
  ],
}

const differs = (saw, why) => ({ saw, why })
/** Not on every surface, or not each time. */
const mayDiffer = (saw, why) => ({ saw, why, always: false })

const sameLengths = differs(
  '204',
  'two Content-Length lines that agree are taken for one (RFC 9110, 8.6)',
)
const bareLines = differs('204', 'lines may end in LF alone (RFC 9112, 2.2)')
const expectation = differs('204', 'an unknown Expect gets no response (RFC 9110, 10.1.1)')
const longHead = differs('204', 'a head of this size is let through')
const otherStatus = differs('505', 'it is rejected by another status')
const pipelined = mayDiffer(
  'closed',
  'a connection is closed where a request comes before the response to the one in front',
)
const bothLengths = differs('204', 'Transfer-Encoding overrides Content-Length (RFC 9112, 6.3)')

/** Of the vectors, by runtime and id: what is seen instead, and what its HTTP server does. */
const SERVERS = {
  bun: {
    'half-closed': mayDiffer('closed', 'a connection that the sender has half closed is closed'),
    'length-twice-equal': sameLengths,
    'lines-bare-lf': otherStatus,
    'line-http-0-9': otherStatus,
    'expect-unknown': expectation,
    'pipelined-10': pipelined,
    'pipelined-header': pipelined,
    'pipelined-mac': pipelined,
    'pipelined-body': pipelined,
  },
  deno: {
    'half-closed': mayDiffer(
      '400',
      'a half-closed connection is taken for one that broke off inside the body, if that was not read yet',
    ),
    'header-17000': longHead,
    'path-20000': longHead,
    'length-twice-equal': sameLengths,
    'lines-bare-lf': bareLines,
    'host-missing': differs('204', 'a request without Host is let through'),
    'line-lower-case': mayDiffer(
      '404',
      'a method in lower case is passed on: no route of Hono has it',
    ),
    'preface-http-2': differs(
      'timeout',
      'HTTP/2 is spoken on the same port, and its preface alone gets no response',
    ),
    'expect-unknown': expectation,
  },
  workerd: {
    'header-17000': longHead,
    'headers-2100': longHead,
    'headers-2100-small': longHead,
    'path-20000': longHead,
    'length-and-chunked': bothLengths,
    'chunked-and-length': bothLengths,
    'length-twice-equal': sameLengths,
    'transfer-twice': differs('204', 'Transfer-Encoding twice is taken for once'),
    'lines-bare-lf': bareLines,
    'expect-unknown': expectation,
  },
}

const forbiddenForm = differs(
  '403',
  'SvelteKit rejects a POST without Content-Type, or with that of a form or of plain text, as one from another site (CSRF)',
)

/**
 * Of the vectors that are played to an example.
 *
 * @type {Readonly<Record<string, Readonly<Record<string, VectorDeviation>>>>}
 */
export const VECTOR_DEVIATIONS = {
  'hono-workers': SERVERS.workerd,
  bun: SERVERS.bun,
  deno: SERVERS.deno,
  elysia: SERVERS.bun,
  sveltekit: Object.fromEntries(
    [
      'header-values-spaced',
      'headers-all-missing',
      'signature-twice',
      'signature-right-wrong',
      'signature-wrong-right',
      'signature-right-empty',
      'signature-ten-times',
      'signature-twice-two-cases',
      'timestamp-twice',
      'timestamp-twice-joined',
      'timestamp-fresh-stale',
      'timestamp-stale-fresh',
      'type-none',
      'type-text',
      'type-form',
      'type-multipart',
      'type-malformed-empty',
      'trailer-signature',
      'trailer-replaces-signature',
      'empty-line-first',
    ].map((id) => [id, forbiddenForm]),
  ),
  nextjs: {
    'path-whole-url': differs('308', 'Next.js redirects where the request line holds a whole URL'),
    'path-unsigned-asterisk': differs(
      '500',
      'Next.js fails where the request line holds an asterisk',
    ),
    'with-propfind': differs(
      '400',
      'Next.js rejects a method that it does not know by another status',
    ),
  },
}
