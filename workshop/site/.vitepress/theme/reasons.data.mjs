import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../../sources.mjs'
import { firstSentence } from '../../text.mjs'

const ERRORS = join(ROOT, 'docs/errors.md')

/** The section of a reason without its heading, and without a first line that is only a link. */
function withoutLead(text) {
  return text.slice(text.indexOf('\n')).replace(/^\s*\[[^\]]*\]\([^)]*\)\.(?=\n)/, '')
}

/** What each reason means, in a sentence: docs/errors.md has the rest. */
export default {
  // Without `watch`, whose pattern would be looked for in all folders of the repository.
  load() {
    const [, ...sections] = readFileSync(ERRORS, 'utf8').split(/^### `/m)
    return Object.fromEntries(
      sections.map((text) => [text.split('`')[0], firstSentence(withoutLead(text))]),
    )
  },
}
