// What is known of each service: its scheme, from the built packages, and its file.
import { ROOT, read } from '../sources.mjs'

export const load = (path) => import(ROOT + path)
const { awsSns } = await load('packages/schemes/dist/aws-sns.js')
const { serviceFile, withSamples } = await load('packages/schemes/dist/services.js')
const { contract } = await load('packages/core/dist/internal.js')
const { serviceOf: applicationOf, tokenSchemes } = await load('packages/cli/dist/add.js')
const exported = {
  ...(await load('packages/schemes/dist/index.js')),
  awsSns: awsSns({ confirm: true }),
}

/** By name. What its service does not document is undefined. */
export const services = Object.entries(exported)
  .filter(([, scheme]) => scheme?.readHead && serviceFile(scheme.name))
  .map(([name, scheme]) => serviceOf(name, withSamples(scheme)))
  .sort((one, other) => (one.name < other.name ? -1 : 1))

function serviceOf(exported, scheme) {
  const { name, value, unsigned = [], tolerance } = scheme
  const file = serviceFile(name)
  return {
    ...scheme,
    title: scheme.title ?? file.title,
    scheme,
    /** What the templates of `webhook-receiver add` need. */
    application: applicationOf(exported, scheme),
    file,
    exported,
    from: value ? undefined : `@webhook-receiver/schemes/${name}`,
    path: `/webhooks/${name}`,
    event: Object.keys(file.samples)[0],
    unsigned: unsigned.filter((part) => part === 'id' || part === 'event'),
    tolerance: Number.isFinite(tolerance) ? tolerance : undefined,
    /** Whether `tolerance` has a time to check. */
    signsTime: scheme.readTime !== undefined,
    signed: value?.signed ?? [],
    hasPair: value?.keys.every(({ algorithm }) => !algorithm.startsWith('hmac')) === true,
    recorded: JSON.parse(read(`packages/conformance/schemes/${name}.json`)),
  }
}

const ownApplication = applicationOf('', contract)

/** The default format. */
export const own = {
  ...ownApplication,
  ...{ title: 'My own service', endpoint: ownApplication.path, application: ownApplication },
  file: { variable: ownApplication.variable },
}

const facts = JSON.parse(read('workshop/site/services/tokens.json'))

/** Those that sign by a token. They have no file, and their pages are written by hand, but for the server. */
export const tokens = (await tokenSchemes()).map(({ exported, scheme, from }) => {
  const application = applicationOf(exported, scheme, from)
  const { title, path, event, variable } = application
  const file = { title, variable, samples: {}, tools: [] }
  return { ...facts[scheme.name], ...scheme, exported, from, title, path, event, application, file }
})
