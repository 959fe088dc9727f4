import { onSite } from '../services/on-site.mjs'

/** The search reads what is committed. */
export function servers(md) {
  md.core.ruler.before('normalize', 'servers', (state) => {
    if (!state.env.isSearch) state.src = onSite(state.src)
  })
}
