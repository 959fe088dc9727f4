import { ALGORITHMS } from '../../services/facts.mjs'
import { services } from '../../services/services.mjs'

/** By the name of a service: its algorithms, also the usual one, and the header of its signature, which its row does not show. */
export default {
  load() {
    const entries = services.map(({ name, value, headers }) => {
      const algorithms = value?.keys.map(({ algorithm }) => ALGORITHMS[algorithm]) ?? []
      return [name, [...algorithms, value?.signature.header ?? headers].flat().join(' ')]
    })
    return Object.fromEntries(entries)
  },
}
