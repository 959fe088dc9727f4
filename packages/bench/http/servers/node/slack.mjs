import bolt from '@slack/bolt'

/** The part of Bolt's HTTPReceiver that comes before an event is dispatched. */
export default function slack(signingSecret, take) {
  const { parseAndVerifyHTTPRequest } = bolt.HTTPModuleFunctions
  return async (req, res) => {
    try {
      const { rawBody } = await parseAndVerifyHTTPRequest({ signingSecret }, req, res)
      take(JSON.parse(rawBody.toString()))
      res.writeHead(204).end()
    } catch {
      res.writeHead(401).end()
    }
  }
}
