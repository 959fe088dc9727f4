// After a change here, `npm run site:write` writes both wherever else they stand: manifests, workflows, documents, tests.

export const REPOSITORY: string = 'https://github.com/webhook-receiver/webhook-receiver'

/** The documentation, where GitHub Pages publishes it for that repository. */
export const SITE: string = 'https://webhook-receiver.github.io/webhook-receiver'
