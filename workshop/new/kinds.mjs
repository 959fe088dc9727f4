import { fail } from './files.mjs'

const USAGE = `npm run new -- adapter|service|store NAME [LIKE]
npm run new -- adapter NAME@VERSION [LIKE]
Copies the files of LIKE (koa, mux or dynamodb) and what names it elsewhere under the name NAME, in kebab-case, and prints what is left.
A framework's packages get the newest versions that npm has, and the framework the newest of VERSION, such as restify@11.`

/** Without the build, which cannot succeed before the package compiles; `site:write` builds. */
const INSTALL = 'npx -y pnpm@10.34.8 install --ignore-scripts'
const LISTS = 'workshop/prove/test'
const CHECKS =
  'npx biome check --write . && npx tsc -p tsconfig.test.json && npx knip --no-config-hints'

const KINDS = {
  adapter: {
    like: 'koa',
    lists: ['package', 'adapter', 'framework'],
    files: (name) => [`packages/${name}`, `examples/${name}`],
    run: [
      INSTALL,
      'npx tsc -b packages/NAME',
      'npm run site:write',
      CHECKS,
      `npx vitest run packages/NAME packages/cli/test/transcripts.test.ts ${LISTS} --update`,
      'npm run check',
    ],
  },
  store: {
    like: 'dynamodb',
    lists: ['package', 'store'],
    // The second has what its tests connect to.
    files: (name) => [`packages/${name}`, `workshop/prove/${name}.mjs`],
    write: [
      'README.md, docs/handling.md and docs/guides/production.md: the sentences that name the stores',
    ],
    run: [
      INSTALL,
      'npx tsc -b packages/NAME',
      'npm run site:write',
      CHECKS,
      `npx vitest run packages/NAME packages/cli/test/transcripts.test.ts ${LISTS} --update`,
      'CI=true npx vitest run --mode processes packages/NAME workshop/break/test/recipes.test.ts',
      'npm run check',
    ],
  },
  service: {
    like: 'mux',
    lists: ['service'],
    files: (name) => [
      `packages/schemes/src/services/${name}.ts`,
      `packages/schemes/services/${name}.json`,
    ],
    write: [
      'packages/core/src/verify/other-service.ts: the header of its signature',
      'workshop/prove/judges/event-types.mjs: its type of all bodies, if the SDK has one',
      "without an SDK: `{ source: 'https://…' }` in sdks.mjs, and a request that the service has published with its signature in packages/conformance/schemes/published.json",
    ],
    run: [
      'npx -y pnpm@10.34.8 --dir workshop/prove/judges/sdks add --save-exact --ignore-workspace --lockfile-only ITS-SDK',
      'npm run prove -- judges --only NAME --write',
      'npm run site:write',
      CHECKS,
      `npx vitest run packages/schemes packages/cli/test/transcripts.test.ts packages/cli/test/redrive-scheme.test.ts ${LISTS} --update`,
      'npm run check',
    ],
  },
}

export const [kind, given = '', like = KINDS[kind]?.like] = process.argv.slice(2)
export const chosen = KINDS[kind]
/** The version is that of a framework. */
export const [, name, version] = /^([a-z][a-z\d]*(?:-[a-z\d]+)*)(?:@(\d[\d.]*))?$/.exec(given) ?? []
if (!chosen || !name || (version && kind !== 'adapter')) fail(USAGE)
