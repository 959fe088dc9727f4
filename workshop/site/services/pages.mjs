// A page of a service. A committed page is short; the site shows each framework, what is sent, what is logged and a test.
import { factsOf } from './facts.mjs'
import { paragraphs } from './markdown.mjs'
import { opening, secretPart } from './opening.mjs'
import { serverOf, serversOf, testsOf } from './servers.mjs'

/** A page that is not there yet. What is written by hand goes between `route` and `facts`, which then take the place of `page`. */
export function newPage({ name, file: { title } }) {
  return `# ${title} webhooks

<!-- Written by \`npm run site:write\`: page ${name} -->
<!-- end -->
`
}

/** What a comment with this name begins. */
export const parts = {
  page: async (service) => paragraphs(routeOf(service), await factsOf(service)),
  route: routeOf,
  facts: factsOf,
}

/** From the first sentence to where the real secret is; on the site for several frameworks. */
export function routeOf(service, frameworks) {
  return paragraphs(
    opening(service),
    '## Server',
    frameworks ? serversOf(service, frameworks) : serverOf(service),
    secretPart(service),
    frameworks && testsOf(service, frameworks),
  )
}
