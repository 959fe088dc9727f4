import { fail } from './files.mjs'

const USAGE = `npm run new -- adapter|service|store NAME [LIKE]
Copies the files of LIKE (koa, mux or dynamodb) and what names it elsewhere under the name NAME, in kebab-case, and prints what is left.
A framework's packages get the versions that npm has.`

/** Without the build, which cannot succeed before the package compiles; `site:write` builds. */
const INSTALL = 'npx -y pnpm@10.34.8 install --ignore-scripts'
const LISTS = 'workshop/prove/test'

const KINDS = {
  adapter: {
    like: 'koa',
    lists: ['package', 'adapter', 'framework'],
    files: (name) => [`packages/${name}`, `examples/${name}`],
    run: [
      INSTALL,
      'npx tsc -b packages/NAME',
      'npm run site:write',
      'npx biome check --write . && npx tsc -p tsconfig.test.json && npx knip --no-config-hints',
      `npx vitest run packages/NAME packages/cli/test/transcripts.test.ts ${LISTS} --update`,
    ],
  },
  store: {
    like: 'dynamodb',
    lists: ['package', 'store'],
    files: (name) => [`packages/${name}`],
    run: [
      INSTALL,
      'npx tsc -b packages/NAME',
      'npm run site:write',
      'npx biome check --write . && npx tsc -p tsconfig.test.json && npx knip --no-config-hints',
      `npx vitest run packages/NAME ${LISTS}`,
      'CI=true npx vitest run --mode processes workshop/break/test/recipes.test.ts',
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
      'workshop/prove/judges/event-types.mjs: its type of all bodies, if the SDK has one',
      "without an SDK: `{ source: 'https://…' }` in sdks.mjs, and a request that the service has published with its signature in packages/conformance/schemes/published.json",
    ],
    run: [
      'npx -y pnpm@10.34.8 --dir workshop/prove/judges/sdks add --save-exact --ignore-workspace --lockfile-only ITS-SDK',
      'npm run prove -- judges --only NAME --write',
      'npm run site:write',
      `npx vitest run packages/schemes ${LISTS} --update`,
    ],
  },
}

export const [kind, name, like = KINDS[kind]?.like] = process.argv.slice(2)
export const chosen = KINDS[kind]
if (!chosen || !/^[a-z][a-z\d]*(-[a-z\d]+)*$/.test(name ?? '')) fail(USAGE)
