// Keeps an application of each adapter busy for a while, and looks at its answers and at its memory.
import { readOptions } from './soak/options.mjs'
import { report } from './soak/report.mjs'
import { soak } from './soak/soak.mjs'

const options = readOptions()
const { adapters, milliseconds, connections } = options
console.error(
  `${(milliseconds / 60_000).toFixed(2)} minutes, ${connections} connections to each of ${adapters.join(', ')} …`,
)
report(await Promise.all(adapters.map((adapter) => soak(adapter, options))), options)
