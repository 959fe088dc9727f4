// The parts of the site. A new file in docs/guides or docs/reference has to be named here; a test says which is missing.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packagesByGroup } from './reference/packages.mjs'
import { fileOnSite, ROOT } from './sources.mjs'
import { startPages } from './start.mjs'

/** Each has a sidebar of its own, with groups of pages: paths in the repository. */
const SECTIONS = [
  {
    title: 'Guides',
    groups: {
      Basics: [
        'docs/start.md',
        'docs/handling.md',
        'docs/guides/schemes.md',
        'docs/guides/types.md',
        'docs/guides/testing.md',
        'docs/guides/errors-and-logging.md',
        'docs/guides/sdk-or-this.md',
        'docs/guides/migrating.md',
        'docs/guides/assistants.md',
      ],
      Debugging: [
        'docs/guides/signature-does-not-match.md',
        'docs/guides/receive-locally.md',
        'docs/guides/inspector.md',
        'docs/guides/body-parsers.md',
        'docs/guides/proxies.md',
        'docs/doctor.md',
      ],
      Production: [
        'docs/guides/production.md',
        'docs/guides/secrets.md',
        'docs/guides/slow-handlers.md',
        'docs/guides/order.md',
        'docs/guides/run-again.md',
        'docs/guides/shutdown.md',
        'docs/guides/quarantine.md',
        'docs/observability.md',
        'docs/guides/alerts.md',
      ],
      Recipes: ['docs/guides/inbox.md', 'docs/guides/queues.md', 'docs/guides/orms.md'],
      Frameworks: [
        'docs/guides/nestjs.md',
        'docs/guides/aws-lambda.md',
        'docs/guides/request.md',
        'docs/guides/typescript.md',
        'docs/guides/write-an-adapter.md',
      ],
    },
    // A bar on each leads to the others.
    unlisted: startPages.slice(1).map(({ file }) => file),
  },
  {
    title: 'Services',
    groups: {
      '': ['docs/services/README.md', 'docs/services/default.md', ...servicePages()],
    },
  },
  {
    title: 'Reference',
    groups: {
      API: [
        'docs/reference/options.md',
        'docs/errors.md',
        'docs/reference/stores.md',
        'packages/cli/README.md',
        'packages/site/pages/reference/contract.md',
        'docs/diagnosis.md',
      ],
      'Formats and telemetry': [
        'docs/reference/channels.md',
        'docs/reference/telemetry.md',
        'docs/captures.md',
      ],
      Versions: ['docs/reference/promises.md', 'packages/site/pages/reference/changelog.md'],
    },
  },
  {
    title: 'Packages',
    groups: {
      '': ['docs/reference/packages.md'],
      ...packagesByGroup(),
    },
  },
  {
    title: 'How it works',
    groups: {
      '': [
        'docs/how-it-works/verification.md',
        'SECURITY.md',
        'docs/evidence/README.md',
        'docs/bench.md',
        'docs/decisions/README.md',
      ],
    },
    // The index leads to them.
    unlisted: filesIn('docs/decisions'),
  },
]

/** Titles of pages that have no file while the site is built, or another heading. */
const TITLES = {
  'packages/cli/README.md': 'Command line',
  'SECURITY.md': 'Security',
  'packages/site/pages/reference/contract.md': 'The contract and its events',
  'packages/site/pages/reference/changelog.md': 'Changelog',
  ...Object.fromEntries(startPages.map(({ file, title }) => [file, title])),
}

/**
 * The sections with their groups, and the pages in these: the file in the repository, its title and its address. A page that is not
 * written yet is left out.
 */
export const sections = SECTIONS.map(({ title, groups, unlisted = [] }) => ({
  title,
  groups: Object.entries(groups).map(([name, files]) => ({ name, pages: pagesOf(files) })),
  unlisted: pagesOf(unlisted),
}))

export const pages = sections.flatMap(({ groups, unlisted }) => [
  ...groups.flatMap((group) => group.pages),
  ...unlisted,
])

function pagesOf(files) {
  return files.filter(exists).map((file) => ({
    file,
    title: TITLES[file] ?? titleOf(file),
    link: `/${fileOnSite(file).replace(/(?:(^|\/)index)?\.md$/, '$1')}`,
  }))
}

function exists(file) {
  return file.startsWith('packages/site/') || existsSync(join(ROOT, file))
}

/** By name; the default format, which is none of them, comes first. */
function servicePages() {
  return filesIn('docs/services').filter((file) => !file.endsWith('/default.md'))
}

function filesIn(folder) {
  return readdirSync(join(ROOT, folder))
    .filter((name) => name.endsWith('.md') && name !== 'README.md')
    .sort()
    .map((name) => `${folder}/${name}`)
}

/** The first heading, without its marks; of a package without the scope, of a service its name. */
function titleOf(file) {
  const heading = /^# (.*)$/m.exec(readFileSync(join(ROOT, file), 'utf8'))?.[1]
  if (heading === undefined) throw new Error(`${file} has no heading.`)
  return heading.replaceAll('`', '').replace(/^@webhook-receiver\/| webhooks$/, '')
}
