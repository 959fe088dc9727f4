// Counts the instructions of a verdict and of the textbook's, with valgrind: the same on a busy machine and an idle one.
import { count, missingTools } from './instructions/count.mjs'
import { readOptions } from './instructions/options.mjs'
import { report } from './instructions/report.mjs'

const options = readOptions()
const missing = await missingTools()
if (missing.length > 0) {
  console.error(
    `Not installed: ${missing.join(', ')}. Nothing is counted without (apt-get install valgrind util-linux).`,
  )
  process.exit(2)
}
const results = []
for (const bytes of options.sizes) {
  for (const subject of ['ours', 'textbook']) {
    results.push({ bytes, subject, ...(await count(subject, bytes, options)) })
  }
}
report(results, options)
