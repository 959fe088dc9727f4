/** The faults of a receiver, each with its likely cause and the fix. */
export const FAULTS = {
  unreachable: {
    cause: 'No HTTP server responds at this URL.',
    fix: 'Start the receiver. Check the host, the port and http or https. For a private certificate, set NODE_EXTRA_CA_CERTS to its PEM file.',
  },
  crashed: {
    cause:
      'The receiver accepts no more connections. The request before may have crashed its process.',
    fix: 'Look for an uncaught error in its log, and catch it where the request is handled.',
  },
  redirects: {
    cause:
      'The receiver redirects deliveries. A sender does not follow a redirect with a signed body.',
    fix: 'Use the URL that it redirects to, with its scheme, host and trailing slash.',
  },
  'wrong-path': {
    cause: 'No route takes POST at this path.',
    fix: 'Check the path of the URL, and mount the receiver there for POST.',
  },
  'rate-limited': {
    cause: 'A rate limit rejects valid deliveries.',
    fix: 'Exempt the webhook route from the rate limit, or count only rejected requests.',
  },
  'wrong-secret': {
    cause:
      'The receiver responds to valid and forged deliveries alike: it has another secret, its clock is wrong, or it does not get the bytes as they were sent.',
    fix: 'Compare the secret on both sides, with white space and quotes. Check the clock. Make sure that no proxy or parser changes the body before verification.',
  },
  'unknown-event-rejected': {
    cause: 'The receiver verifies the signature of a delivery, and then rejects the delivery.',
    fix: 'Respond with 2xx to unknown events, or choose an event that the application knows with --event.',
  },
  'handler-fails': {
    cause: 'The receiver verifies a delivery, and then responds with a 5xx.',
    fix: 'Read the log of the receiver. The handler should accept events and fields that it does not know.',
  },
  'parser-first': {
    cause:
      'A body parser runs before verification. The receiver responds with 5xx because the parser fails, or because the raw body is gone.',
    fix: 'Mount the verification before any body parser such as express.json(). Verify the raw bytes, and parse them only then.',
  },
  'parse-failure-5xx': {
    cause: 'The receiver responds with 5xx to a signed body that is not a delivery.',
    fix: 'Catch the error of the JSON parser, check that the result is an object with the fields of a delivery, and otherwise respond with 400.',
  },
  'unreadable-accepted': {
    cause:
      'The receiver responds with 2xx to a signed body that is not a delivery, and so cannot have been handled.',
    fix: 'Respond with 400 to a body that cannot be read, so that the sender reports the failure.',
  },
  'other-success': {
    cause: 'The service takes another status for success, so it counts these deliveries as failed.',
    fix: 'Respond to deliveries with the status that the probes expect.',
  },
  'reserialised-json': {
    cause: 'The receiver verifies re-serialised JSON and not the bytes that were sent.',
    fix: 'Compute the MAC over the raw body, as a Buffer, before anything parses it; never over JSON.stringify of the parsed body.',
  },
  'decoded-text': {
    cause:
      'The receiver decodes the body to text and verifies the text, not the bytes that were sent.',
    fix: 'Compute the MAC over the raw body, as a Buffer: do not decode, trim or normalise it first.',
  },
  'verifies-nothing': {
    cause: 'The receiver accepts forged deliveries: it does not verify the signature.',
    fix: 'Verify the signature before anything else, and respond with 401 where it is missing or wrong.',
  },
  'secret-unset': {
    cause:
      'The receiver accepts a delivery that is signed with an empty or undefined secret: it runs without a secret.',
    fix: 'Set the secret of the receiver, and do not let it start without one.',
  },
  'prefix-compared': {
    cause: 'The receiver compares only a prefix of the signature.',
    fix: 'Compare all 32 bytes of the digest in constant time (crypto.timingSafeEqual), after checking that 64 hex digits were sent.',
  },
  'lenient-signature': {
    cause: 'The receiver accepts a signature in a form that the service never sends.',
    fix: 'Accept exactly one X-Webhook-Signature: "sha256=" and 64 lower-case hex digits. Reject everything else.',
  },
  'several-signatures': {
    cause: 'The receiver accepts several X-Webhook-Signature headers if one of them is right.',
    fix: 'Reject a request that has more than one X-Webhook-Signature.',
  },
  'headers-optional': {
    cause: 'The receiver accepts a delivery without the signature or without the timestamp.',
    fix: 'Respond with 401 if a header of the signature or the timestamp is missing.',
  },
  'timestamp-unsigned': {
    cause:
      'The MAC of the receiver does not cover X-Webhook-Timestamp, so an attacker can replay an old delivery with a new timestamp.',
    fix: 'Compute the MAC over the timestamp as it was sent, a full stop, and the raw body.',
  },
  'any-timestamp': {
    cause:
      'The receiver accepts any timestamp, so an attacker can replay a delivery at any later time.',
    fix: 'Reject a timestamp that is further from the clock than the service documents (the contract: 300 s), and one that cannot be read.',
  },
  'future-timestamp': {
    cause: 'The receiver accepts a timestamp that is far in the future.',
    fix: 'Limit the difference between timestamp and clock in both directions.',
  },
  'unreadable-timestamp': {
    cause:
      'A timestamp that cannot be read passes the check of its age. Comparisons with NaN are always false.',
    fix: 'Reject a timestamp that cannot be read before you compute its age.',
  },
  'chunked-rejected': {
    cause: 'The receiver does not read a body without Content-Length (Transfer-Encoding: chunked).',
    fix: 'Read the body to its end and do not rely on Content-Length. Check the proxy in front of the receiver.',
  },
  'first-piece-only': {
    cause: 'The receiver does not assemble a body that arrives in several pieces correctly.',
    fix: 'Collect all chunks as Buffers, join them with Buffer.concat, and verify only then.',
  },
  'header-case': {
    cause: 'The receiver compares the names of headers case-sensitively.',
    fix: 'Compare the names of headers case-insensitively.',
  },
  'header-id-required': {
    cause: 'The receiver requires X-Webhook-Id, which the signature does not cover.',
    fix: 'Identify a delivery by the id in its signed body.',
  },
  'media-type': {
    cause: 'The receiver rejects application/json with a charset.',
    fix: 'Ignore Content-Type: the signature decides.',
  },
  'no-limit': {
    cause:
      'The receiver accepts a body that is far larger than any delivery: nothing limits what it reads into memory.',
    fix: 'Stop reading at a limit such as 1 MiB and respond with 413. If your limit is larger, set --oversize to a size above it.',
  },
  'body-not-read': {
    cause:
      'The receiver does not read rejected bodies to the end. The sender sees a broken connection instead of the response, or gets no response to its next delivery on that connection.',
    fix: 'Read and discard the rest of a rejected body, up to a limit. Beyond the limit, respond with Connection: close and read a little longer before you close.',
  },
  'body-as-request': {
    cause: 'The receiver reads the rest of a rejected body as another request on the connection.',
    fix: 'Read a rejected body to its end, or close the connection. Make sure that the proxy and the receiver agree where a body ends.',
  },
  method: {
    cause: 'The receiver accepts a delivery with a method other than POST.',
    fix: 'Respond with 405 to every method but POST.',
  },
  inflates: {
    cause:
      'The receiver inflates a body before it verifies it, so it does not verify the bytes that were sent.',
    fix: 'Turn inflating off (express.json and express.raw: inflate: false), or respond with 415 to any Content-Encoding.',
  },
  'rejection-5xx': {
    cause:
      'The receiver responds with 5xx to a fault of the sender, as if the receiver had failed.',
    fix: 'Respond with 401 to a wrong signature or timestamp, and 400, 405, 413 or 415 to the others.',
  },
  'no-response': {
    cause: 'The connection ended without a response, or no response came in time.',
    fix: 'Respond to every request, also to those that you reject. If the receiver is only slow, raise --timeout.',
  },
  'header-id-deduplicated': {
    cause:
      'The receiver deduplicates on X-Webhook-Id, which is not signed. A replay with another value is handled again, and a forged value can block a valid delivery.',
    fix: 'Deduplicate on the id in the signed body, after verification.',
  },
  'not-deduplicated': {
    cause: 'The receiver handles a delivery twice if it arrives twice.',
    fix: 'Keep the id of the body in a store: claim it before the work and complete it after, as webhookHandler with a store does.',
  },
  'duplicate-rejected': {
    cause:
      'The receiver responds to a duplicate as to a failure, so the sender retries again and again.',
    fix: 'Respond with 2xx to a delivery that was handled before, and 503 only while the first one is in progress.',
  },
  'replay-rejected': {
    cause:
      'The receiver responds with 5xx to a delivery that arrives again with another X-Webhook-Id.',
    fix: 'Treat it like any other duplicate: go by the id in its body.',
  },
  'not-handled': {
    cause: 'The receiver responds with 2xx to a valid delivery, but its handler did not run.',
    fix: 'Respond with 2xx only after the work is done. Check how events without a handler of their own are treated.',
  },
  'handled-twice': {
    cause: 'A delivery that was sent once is handled more than once.',
    fix: 'Check whether two routes or two listeners handle the same delivery.',
  },
  'handled-unverified': {
    cause: 'The receiver rejects a delivery, but its handler still ran.',
    fix: 'Run the handler only after verification, and return after a rejection.',
  },
} as const

/** The code of a fault. */
export type Fault = keyof typeof FAULTS
