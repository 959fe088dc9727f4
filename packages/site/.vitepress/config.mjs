import { execFileSync } from 'node:child_process'
import { slug } from 'github-slugger'
import { defineConfig } from 'vitepress'
import { writeTextForModels } from '../llms.mjs'
import { pages, sections } from '../sections.mjs'
import { BASE, fileOnSite, REPOSITORY, ROOT } from '../sources.mjs'
import { CHOICES, choiceStyle, choices, earlyScript } from './choices.mjs'
import { linksAsOnGitHub } from './links-as-on-github.mjs'
import { tables } from './tables.mjs'

const sidebars = sections.map(({ groups }) =>
  groups.map(({ name, pages: below }) => ({
    text: name,
    items: below.map(({ title, link }) => ({ text: title, link })),
  })),
)

export default defineConfig({
  title: 'webhook-receiver',
  titleTemplate: ':title – webhook-receiver',
  description:
    'Verified webhooks in one line, on Express, Fastify, Hono, Koa, NestJS and every runtime with Request.',
  lang: 'en',
  srcDir: ROOT,
  srcExclude: notOnSite(),
  outDir: './dist',
  cacheDir: './node_modules/.vitepress',
  base: BASE,
  rewrites: fileOnSite,
  // The sidebars of all pages are in one file, not in each page.
  metaChunk: true,
  head: [
    ['link', { rel: 'icon', href: `data:image/svg+xml,${encodeURIComponent(icon())}` }],
    ['script', {}, earlyScript(CHOICES)],
    ['style', {}, choiceStyle(CHOICES)],
  ],
  markdown: {
    anchor: { slugify: slug },
    // The default themes have tokens with a contrast below 4.5.
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    config: (md) => md.use(linksAsOnGitHub).use(choices).use(tables),
  },
  themeConfig: {
    logo: { src: `data:image/svg+xml,${encodeURIComponent(icon())}`, alt: '' },
    nav: sections.map(({ title, groups }, index) => ({
      text: title,
      link: groups[0].pages[0].link,
      activeMatch: `^(${linksOf(index).join('|')})(\\.html)?$`,
    })),
    sidebar: Object.fromEntries(
      // With the ending, as /packages/cli would be the beginning of /packages/client.
      sections.flatMap((_, index) =>
        linksOf(index).map((link) => [link.replace(/[^/]$/, '$&.md'), sidebars[index]]),
      ),
    ),
    outline: [2, 3],
    search: { provider: 'local' },
    externalLinkIcon: true,
    socialLinks: [{ icon: 'github', link: REPOSITORY, ariaLabel: 'GitHub' }],
    editLink: { pattern: `${REPOSITORY}/edit/main/:path`, text: 'Edit this page on GitHub' },
  },
  transformPageData(page) {
    // Of the frameworks, one is visible.
    if (page.relativePath === 'start.md') page.frontmatter.outline = 2
  },
  vite: { plugins: [vueOfThisPackage()] },
  buildEnd: ({ outDir }) => writeTextForModels(outDir),
})

function linksOf(section) {
  const { groups, unlisted } = sections[section]
  return [...groups.flatMap((group) => group.pages), ...unlisted].map(({ link }) => link)
}

/** Every Markdown file that is not a page. */
function notOnSite() {
  const list = ['ls-files', '-co', '--exclude-standard', '*.md']
  const files = execFileSync('git', list, { cwd: ROOT, encoding: 'utf8' }).trim().split('\n')
  const used = new Set(pages.map(({ file }) => file))
  return files.filter((file) => !used.has(file) && !file.startsWith('packages/site/pages/'))
}

/** The pages are compiled to modules that import Vue, and no folder above them has it installed. */
function vueOfThisPackage() {
  return {
    name: 'vue-of-this-package',
    enforce: 'pre',
    resolveId(source, importer, options) {
      if (!/^vue(\/|$)/.test(source) || !importer?.startsWith(ROOT)) return
      return this.resolve(source, import.meta.filename, { ...options, skipSelf: true })
    },
  }
}

/** An envelope with a check mark. */
function icon() {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect x="2" y="6" width="28" height="20" rx="4" fill="#0b7a55"/><path d="M9 16l5 5 9-10" fill="none" stroke="#fff" stroke-width="3" stroke-linecap="round" stroke-linejoin="round"/></svg>`
}
