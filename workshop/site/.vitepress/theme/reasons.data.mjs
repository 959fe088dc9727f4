import { read } from '../../sources.mjs'
import { firstSentence } from '../../text.mjs'

/** The section of a reason without its heading, and without a first line that is only a link, or its status and code. */
function withoutLead(text) {
  return text
    .slice(text.indexOf('\n'))
    .replace(/^\s*(?:\[[^\]]*\]\([^)]*\)\.(?=\n)|\d{3}, code `\w+`\.)/, '')
}

/** What each reason means, in a sentence, of which docs/errors.md has the rest, and for each service, what is missing without its signature. */
export default {
  // Without `watch`, whose pattern would be looked for in all folders of the repository.
  load() {
    const [, ...sections] = read('docs/errors.md').split(/^### `/m)
    const schemes = Object.values(JSON.parse(read('packages/conformance/schemes.json')))
    return {
      reasons: Object.fromEntries(
        sections.map((text) => [text.split('`')[0], firstSentence(withoutLead(text))]),
      ),
      missing: Object.fromEntries(schemes.map((scheme) => [scheme.name, missingOf(scheme)])),
    }
  },
}

function missingOf({ title, signature }) {
  const [header] = [signature.header].flat()
  return `There is no ${header}: ${title} did not sign the request, a proxy removed the header, or somebody else sent it.`
}
