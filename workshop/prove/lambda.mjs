/** Invokes a function of AWS Lambda as API Gateway does, by its payload format 2.0. Every body is passed as binary. */
export async function invoke(handler, request) {
  const bytes = Buffer.from(await request.arrayBuffer())
  const { pathname: path } = new URL(request.url)
  const { statusCode, headers, body } = await handler({
    version: '2.0',
    rawPath: path,
    headers: Object.fromEntries(request.headers),
    requestContext: { http: { method: request.method, path } },
    body: bytes.toString('base64'),
    isBase64Encoded: true,
  })
  // No response with the status 204 has a body.
  return new Response(body || null, { status: statusCode, headers })
}
