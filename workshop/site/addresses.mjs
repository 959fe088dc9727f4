// The addresses of the project in files that cannot import packages/core/src/reject/addresses.ts: manifests, workflows, documents, tests.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { load } from './services/services.mjs'
import { REPOSITORY, ROOT, SITE } from './sources.mjs'

const TEAMS = '.github/CODEOWNERS'

/** What the files have now, and what core has. */
const [before, after] = [{ SITE, REPOSITORY }, await load('packages/core/dist/internal.js')].map(
  (each) => {
    const [owner, name] = each.REPOSITORY.split('/').slice(-2)
    return { site: each.SITE, repository: `${owner}/${name}`, owner: `@${owner}/` }
  },
)

/** The files that have other addresses than core, each with its new text. */
export function staleAddresses() {
  const search = ['grep', '-lIF', '--untracked', '-e', before.site, '-e', before.repository]
  const files = execFileSync('git', search, { cwd: ROOT, encoding: 'utf8' }).trim().split('\n')
  return [
    ...files.map((file) => [file, replaced(read(file), ['site', 'repository'])]),
    // Elsewhere, the owner with this mark is the scope of our packages.
    [TEAMS, replaced(read(TEAMS), ['owner'])],
  ].filter(([file, text]) => text !== read(file))
}

function replaced(text, kinds) {
  return kinds.reduce((done, kind) => done.replaceAll(before[kind], after[kind]), text)
}

function read(file) {
  return readFileSync(join(ROOT, file), 'utf8')
}
