/** What can be wrong with a receiver: the likely cause, and what to do. */
export const FAULTS = {
  unreachable: {
    cause: 'Nothing that speaks HTTP answers at this URL.',
    fix: 'Start the receiver, and check the host, the port and http or https; trust a certificate of your own with --ca.',
  },
  crashed: {
    cause:
      'The receiver stopped taking connections while it was examined: what was sent just before may have ended its process.',
    fix: 'Look for an uncaught error in its log, and catch it where the request is handled.',
  },
  redirects: {
    cause: 'Deliveries are redirected, and no sender follows a redirect with a signed body.',
    fix: 'Give the final URL, with the scheme, the host and the trailing slash that it ends up with.',
  },
  'wrong-path': {
    cause: 'No route takes POST at this path.',
    fix: 'Check the path of the URL, and mount the receiver there for POST.',
  },
  'rate-limited': {
    cause: 'A rate limit refuses genuine deliveries.',
    fix: 'Exempt the webhook route from the rate limit, or count only what was refused.',
  },
  'wrong-secret': {
    cause:
      'Nothing genuine is accepted and forgeries get the same answer: the receiver has another secret, a wrong clock, or does not get the bytes as they were sent.',
    fix: 'Compare the secret here and there, white space and quotes included. Then check the clock, and let no proxy or parser touch the body before verification.',
  },
  'unknown-event-refused': {
    cause: 'A genuine delivery is refused after its signature was found right.',
    fix: 'Answer 2xx to an event that the application does not know, or name one that it knows with --event.',
  },
  'handler-fails': {
    cause: 'A genuine delivery passes verification, and then the receiver fails with a 5xx.',
    fix: 'Read the log of the receiver. The handler should live with an event and with fields that it does not know.',
  },
  'parser-first': {
    cause:
      'A body parser runs before verification, and its failure (or what it leaves of the body) is answered 5xx.',
    fix: 'Mount the verification above any body parser such as express.json(), give it the raw bytes, and parse only what was verified.',
  },
  'parse-failure-5xx': {
    cause: 'An authentic body that is no delivery makes the receiver fail with a 5xx.',
    fix: 'Catch the error of the JSON parser, check that the result is an object with the fields of a delivery, and answer 400.',
  },
  'unreadable-accepted': {
    cause: 'An authentic body that is no delivery is answered 2xx, as if it had been handled.',
    fix: 'Answer 400 to what cannot be read, so that the sender shows it as failed.',
  },
  'reserialised-json': {
    cause: 'The receiver verifies re-serialised JSON, and not the bytes that were sent.',
    fix: 'Compute the MAC over the raw body, as a Buffer, before anything parses it; never over JSON.stringify of the parsed body.',
  },
  'decoded-text': {
    cause: 'The receiver verifies text that it made of the body, and not the bytes that were sent.',
    fix: 'Compute the MAC over the raw body, as a Buffer: do not decode, trim or normalise it first.',
  },
  'verifies-nothing': {
    cause: 'Forged deliveries are accepted whatever their signature: nothing is verified.',
    fix: 'Verify X-Webhook-Signature before anything else, and answer 401 where it is missing or wrong.',
  },
  'secret-unset': {
    cause:
      'A delivery that is signed with an empty or undefined secret is accepted: the receiver runs without one.',
    fix: 'Give the receiver its secret, and let it refuse to start without.',
  },
  'prefix-compared': {
    cause: 'The receiver compares only a prefix of the signature.',
    fix: 'Compare all 32 bytes of the digest in constant time (crypto.timingSafeEqual), after checking that 64 hex digits were sent.',
  },
  'lenient-signature': {
    cause: 'The receiver accepts a signature in a form that the service never sends.',
    fix: 'Take one X-Webhook-Signature of exactly "sha256=" and 64 lower-case hex digits, and refuse all else.',
  },
  'several-signatures': {
    cause: 'Of several X-Webhook-Signature headers, one that is right is enough.',
    fix: 'Refuse a request in which X-Webhook-Signature stands more than once.',
  },
  'headers-optional': {
    cause: 'The receiver accepts a delivery that lacks the signature or the timestamp.',
    fix: 'Refuse with 401 where X-Webhook-Signature or X-Webhook-Timestamp is missing.',
  },
  'timestamp-unsigned': {
    cause:
      'The MAC of the receiver does not cover X-Webhook-Timestamp, so an old delivery can be given a new time.',
    fix: 'Compute the MAC over the timestamp as it was sent, a dot, and the raw body.',
  },
  'any-timestamp': {
    cause:
      'The receiver accepts any timestamp, so that a delivery once seen can be replayed for ever.',
    fix: 'Refuse a timestamp that lies more than a few minutes (300 s) before or after the clock, and one that cannot be read.',
  },
  'future-timestamp': {
    cause: 'The receiver accepts a timestamp that lies far ahead of the clock.',
    fix: 'Bound the distance of the timestamp from the clock in both directions.',
  },
  'unreadable-timestamp': {
    cause:
      'A timestamp that cannot be read passes the check of its age, as NaN passes a comparison.',
    fix: 'Refuse a timestamp that is no time, before its age is computed.',
  },
  'chunked-refused': {
    cause: 'A body without Content-Length (Transfer-Encoding: chunked) is not read.',
    fix: 'Read the body until its end, and do not rely on Content-Length; check the proxy in front.',
  },
  'first-piece-only': {
    cause: 'A body that arrives in several pieces is not put together byte for byte.',
    fix: 'Collect all chunks as Buffers until the end, join them with Buffer.concat, and only then verify.',
  },
  'header-case': {
    cause: 'The receiver looks headers up by their exact spelling.',
    fix: 'Look headers up without regard to case.',
  },
  'header-id-required': {
    cause: 'The receiver requires X-Webhook-Id, which the signature does not cover.',
    fix: 'Take the identity of a delivery from the id in its signed body.',
  },
  'media-type': {
    cause: 'The receiver refuses application/json with a charset.',
    fix: 'Let the signature decide, whatever Content-Type says.',
  },
  'no-limit': {
    cause:
      'A body far larger than any delivery is accepted: nothing bounds what is read into memory.',
    fix: 'Stop at a limit such as 1 MiB and answer 413. If yours is meant to be larger, give a size above it with --oversize.',
  },
  'body-not-read': {
    cause:
      'The receiver does not read refused bodies to the end: the sender sees a broken connection in place of the answer, or the next delivery on that connection gets none.',
    fix: 'Read on and throw away what is left of a refused body, within bounds, before or after answering; otherwise answer with Connection: close and read on for a while before closing.',
  },
  'body-as-request': {
    cause: 'What was left of a refused body is taken for another request on the connection.',
    fix: 'Read a refused body to its end or close the connection, and let the proxy and the receiver agree where it ends.',
  },
  method: {
    cause: 'A method other than POST is taken for a delivery.',
    fix: 'Answer 405 to all but POST.',
  },
  inflates: {
    cause:
      'The receiver inflates a body before it verifies it, so the signature does not cover what was sent.',
    fix: 'Turn inflating off (express.json and express.raw: inflate: false), or answer 415 to any Content-Encoding.',
  },
  'refusal-5xx': {
    cause: 'What the sender did wrong is answered with a 5xx, as if the receiver had failed.',
    fix: 'Answer 401 to a wrong signature or timestamp, 400, 405, 413 or 415 to the rest.',
  },
  'no-answer': {
    cause: 'The connection ended, or nothing came in time, in place of an answer.',
    fix: 'Answer every request, refused ones too. If the receiver is only slow, raise --timeout.',
  },
  'header-id-deduplicated': {
    cause:
      'The receiver deduplicates on X-Webhook-Id, which is not signed: a replay gets past it with another value, and a forged value keeps a genuine delivery out.',
    fix: 'Deduplicate on the id in the signed body, after verification.',
  },
  'not-deduplicated': {
    cause: 'A delivery that comes twice is handled twice.',
    fix: 'Remember the id of the body in a store (deliveryHandler with a store does), claiming it before the work and completing it after.',
  },
  'duplicate-refused': {
    cause: 'A duplicate is answered as a failure, so the sender goes on sending it.',
    fix: 'Answer 2xx to a delivery that was handled before, and 503 only while the first one is in progress.',
  },
  'replay-refused': {
    cause: 'A delivery that comes again under another X-Webhook-Id is answered 5xx.',
    fix: 'Treat it as any other duplicate: by the id of its body.',
  },
  'not-handled': {
    cause: 'A genuine delivery is answered 2xx, but its handler did not run.',
    fix: 'Answer 2xx only after the work is done, and check what becomes of events that the handler does not name.',
  },
  'handled-twice': {
    cause: 'One delivery that was sent once is handled more than once.',
    fix: 'Check whether two routes or two listeners handle the same delivery.',
  },
  'handled-unverified': {
    cause: 'A delivery is refused, but its handler ran all the same.',
    fix: 'Wait for verification before the handler runs, and return after refusing.',
  },
} as const

/** The name of what is wrong. */
export type Fault = keyof typeof FAULTS
