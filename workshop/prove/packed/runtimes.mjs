// The tests of core, and the vectors played to the examples, on other runtimes, each of which is installed from the npm registry.
import { tryRows } from './rows.mjs'
import { suiteRows } from './runtimes/core-suite.mjs'
import { exampleRows } from './runtimes/examples.mjs'

await tryRows('prove -- runtimes', [...suiteRows, ...exampleRows])
