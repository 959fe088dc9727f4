/** How tokens are signed (RFC 7518, section 3.1; RFC 8037). One of them for each service: a token never chooses. */
export type Algorithm = keyof typeof ALGORITHMS

/** The parameters of WebCrypto, and of JSON Web Keys the type and the curve. */
export const ALGORITHMS = {
  HS256: { name: 'HMAC', hash: 'SHA-256', type: 'oct' },
  RS256: { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256', type: 'RSA' },
  RS384: { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-384', type: 'RSA' },
  RS512: { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-512', type: 'RSA' },
  ES256: { name: 'ECDSA', hash: 'SHA-256', type: 'EC', namedCurve: 'P-256' },
  ES384: { name: 'ECDSA', hash: 'SHA-384', type: 'EC', namedCurve: 'P-384' },
  EdDSA: { name: 'Ed25519', hash: 'SHA-512', type: 'OKP', namedCurve: 'Ed25519' },
} as const
