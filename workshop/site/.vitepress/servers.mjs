import { serversOf, testsOf } from '../services/servers.mjs'
import { services } from '../services/services.mjs'

/** What `npm run site:write` writes. */
const WRITTEN =
  /^<!-- Written by `npm run site:write`: (server|service) ([\w-]+) -->\n.*?^<!-- end -->$/gms

/** On the site, a service has a server and a test on every framework. The search reads what is committed. */
export function servers(md) {
  md.core.ruler.before('normalize', 'servers', (state) => {
    if (state.env.isSearch) return
    state.src = state.src.replaceAll(WRITTEN, (written, part, name) => {
      const service = services.find((each) => each.name === name)
      if (part === 'server') return serversOf(service)
      return written.replace(/^(?=## Types$)/m, () => testsOf(service))
    })
  })
}
