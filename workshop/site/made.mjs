// Pages that are made while the site is built: those of the frameworks, and the changelog.
import { existsSync, readdirSync } from 'node:fs'
import { ROOT, read } from './sources.mjs'
import { startPages } from './start.mjs'

/** Each with the file that it is made from, the group of docs/README.md that it is listed in, if it is in one, and the parts that the search reads. */
export const made = [
  // What all of them have in common would be found once for each.
  ...startPages.map((page) => ({ ...page, source: 'docs/start.md', searched: [page.section] })),
  {
    file: 'workshop/site/pages/reference/changelog.md',
    title: 'Changelog',
    group: 'Versions',
    source: '.changeset/README.md',
    content: changelogPage(),
    // The versions have all words.
    searched: ['Releases, versions'],
  },
]

/** What is not released yet, and what was: all packages share their versions. */
function changelogPage() {
  const pending = readdirSync(`${ROOT}.changeset`)
    .filter((name) => name.endsWith('.md') && name !== 'README.md')
    .map((name) => read(`.changeset/${name}`).replace(/^---\n.*?^---\n/ms, ''))
  const released = 'packages/core/CHANGELOG.md'
  return `# Changelog

All packages have the same version.

## Not released yet

${pending.join('\n')}
${existsSync(ROOT + released) ? read(released).replace(/^# .*\n/, '') : ''}`
}
