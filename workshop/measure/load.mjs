import { Agent, request } from 'node:http'

/** As many clients as send at once. */
const CONNECTIONS = 10

/** Connections to a server that stay open, so that short turns of many servers do not begin with a handshake each. */
export function openConnections(port) {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS, noDelay: true })
  const sendOne = ({ path, headers, body }) =>
    new Promise((resolve, reject) => {
      const options = { port, agent, path, method: 'POST', headers }
      request(options, (response) =>
        response.resume().on('end', () => resolve(response.statusCode)),
      )
        .on('error', reject)
        .end(body)
    })
  return {
    /** Sends a request many times; resolves to how many responses had which status. */
    async send(sent, amount) {
      const statuses = {}
      let left = amount
      const client = async () => {
        while (left-- > 0) {
          const status = await sendOne(sent)
          statuses[status] = (statuses[status] ?? 0) + 1
        }
      }
      await Promise.all(Array.from({ length: CONNECTIONS }, client))
      return statuses
    },
    close: () => agent.destroy(),
  }
}
