import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { slug } from 'github-slugger'
import { defineConfig } from 'vitepress'
import { writeTextForModels } from '../llms.mjs'
import { made } from '../made.mjs'
import { miniSearch } from '../search/options.mjs'
import { pages, sections } from '../sections.mjs'
import { BASE, fileOnSite, ORIGIN, REPOSITORY, ROOT } from '../sources.mjs'
import { startPages } from '../start.mjs'
import { summaryOf, textOf } from '../text.mjs'
import { choiceStyle, choices, earlyScript } from './choices.mjs'
import { headOf } from './head.mjs'
import { linksAsOnGitHub } from './links-as-on-github.mjs'
import { pictures } from './pictures.mjs'
import { servers } from './servers.mjs'
import { tables } from './tables.mjs'

const HOME = 'workshop/site/pages/index.md'

/** Wide, as it has a form and its result beside each other. */
const DEBUGGER = 'docs/debugger.md'
const HANDLERS = 'docs/guides/handlers.md'

/** Their tables have cells with much text; the groups of the services are in the sidebar. */
const SERVICES = 'docs/services/README.md'

/** Their headings of level 3 are options or properties. */
const WITH_OPTIONS = [
  'docs/reference/emulator.md',
  'docs/reference/inbox.md',
  'docs/reference/options.md',
  'docs/reference/scheme-value.md',
  'docs/reference/stores.md',
]

/** A result shows the words around it. */
const search = {
  detailedView: true,
  translations: {
    modal: {
      noResultsText:
        'webhook-receiver verifies, stores and handles webhooks that arrive by HTTP, and does nothing else. For a service without a page, see “My service is not here”; for all else, open an issue. Nothing found for',
    },
  },
  miniSearch: {
    ...miniSearch,
    // A page that is made has no file to read.
    _splitIntoSections(file) {
      const page = made.find((each) => file.endsWith(each.file))
      return page?.searched.map((text) => sectionOf(page.heading ?? page.title, text))
    },
  },
  _render(source, env, md) {
    const isForReaders = !/(?:^|\/)(?:decisions\/|evidence)/.test(env.relativePath)
    return isForReaders ? md.render(source, { ...env, isSearch: true }) : ''
  },
}

/** Each section with its sidebar, and where it is: a folder that has no page of another one, or a page. Every page loads all sidebars. */
const menus = sections.map((section, at) => {
  // A page that is in two parts, such as that of the command line, belongs to the first.
  const before = sections.slice(0, at).flatMap((each) => each.pages.map(({ link }) => link))
  const elsewhere = sections.flatMap((each) => (each === section ? [] : each.pages.map(folderOf)))
  const own = section.pages.filter(({ link }) => !before.includes(link))
  const places = own.map((page) => {
    const folder = folderOf(page)
    // With the ending, as /packages/cli would be the beginning of /packages/client.
    return ['/', ...elsewhere].includes(folder) ? page.link.replace(/[^/]$/, '$&.md') : folder
  })
  const sidebar = section.groups.map(({ name, pages: below }) => ({
    text: name,
    items: below.map(itemOf),
  }))
  return { text: section.title, places: [...new Set(places)], sidebar }
})

const DESCRIPTION =
  'Verify webhooks from Stripe, GitHub, Slack and other providers in one call, on Express, Next.js, Hono, Fastify, NestJS and Lambda.'

export default defineConfig({
  title: 'webhook-receiver',
  titleTemplate: ':title – webhook-receiver',
  description: DESCRIPTION,
  sitemap: { hostname: `${ORIGIN}${BASE}` },
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
    // Where the frame of the debugger may lead: with a secret in it, it must not be led elsewhere.
    ['meta', { 'http-equiv': 'Content-Security-Policy', content: "frame-src 'self'" }],
    ['link', { rel: 'icon', href: `${BASE}icon.svg` }],
    ['script', {}, earlyScript],
    ['style', {}, choiceStyle()],
  ],
  markdown: {
    anchor: { slugify: slug },
    // The default themes have tokens with a contrast below 4.5.
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    codeTransformers: [{ line: indent, span: keepName }],
    config: (md) => md.use(servers).use(linksAsOnGitHub).use(choices).use(pictures).use(tables),
  },
  themeConfig: {
    logo: { src: '/icon.svg', alt: '' },
    nav: [
      ...menus.map(({ text, places, sidebar }) => ({
        text,
        link: sidebar[0].items[0].link,
        activeMatch: `^(?!/debugger)(?:${places.map(patternOf).join('|')})`,
      })),
      { text: 'Debugger', link: '/debugger' },
    ],
    sidebar: Object.fromEntries(
      menus.flatMap(({ places, sidebar }) => places.map((place) => [place, sidebar])),
    ),
    outline: [2, 3],
    search: { provider: 'local', options: search },
    externalLinkIcon: true,
    socialLinks: [{ icon: 'github', link: REPOSITORY, ariaLabel: 'GitHub' }],
    notFound: {
      title: 'This page does not exist',
      quote: 'Perhaps it was renamed: before 1.0, pages still move. Press / to search.',
      linkText: 'Home page',
    },
    editLink: { pattern: `${REPOSITORY}/edit/main/:path`, text: 'Edit this page on GitHub' },
  },
  transformPageData(page) {
    const file = fileOf(page)
    if (file === DEBUGGER)
      Object.assign(page.frontmatter, { pageClass: 'debugger', aside: false, sidebar: false })
    if (file === SERVICES) Object.assign(page.frontmatter, { pageClass: 'services', aside: false })
    if (WITH_OPTIONS.includes(file)) Object.assign(page.frontmatter, { pageClass: 'options' })
    if (file !== HOME) page.description ||= summaryOf(textOf(file))
    // After the first page of one framework comes no other framework.
    if (page.relativePath.startsWith('start/'))
      Object.assign(page.frontmatter, {
        prev: false,
        next: { text: 'Handlers and responses', link: '/guides/handlers' },
      })
    if (file === HANDLERS) page.frontmatter.prev = { text: 'Get started', link: startPages[0].link }
    // What *Edit this page* opens of a page that is made.
    if (page.params) page.filePath = made.find((each) => each.file === file).source
  },
  transformHead: headOf,
  vite: {
    // The folder of the sources is that of the repository.
    publicDir: join(import.meta.dirname, '../public'),
    plugins: [vueOfThisPackage()],
  },
  buildEnd: ({ outDir }) => writeTextForModels(outDir),
})

/** In the repository, or what it is called in the list of pages if it is made. */
function fileOf({ filePath, params }) {
  return params === undefined ? filePath : filePath.replace('[page]', params.page)
}

/** Below *Get started* are the frameworks, of which the current one is marked. */
function itemOf({ title, link }) {
  const item = { text: title, link }
  if (link !== startPages[0].link) return item
  const items = startPages.map((page) => ({ text: page.title, link: page.link }))
  return { ...item, items, collapsed: true }
}

function folderOf({ link }) {
  return link.replace(/[^/]*$/, '')
}

function patternOf(place) {
  return place.endsWith('/') ? place : place.replace(/\.md$/, '(?:\\.html)?$$')
}

/** Every Markdown file that is not a page. */
function notOnSite() {
  const list = ['ls-files', '-co', '--exclude-standard', '*.md']
  const files = execFileSync('git', list, { cwd: ROOT, encoding: 'utf8' }).trim().split('\n')
  const used = new Set(pages.map(({ file }) => file))
  const others = files.filter((file) => !used.has(file) && !file.startsWith('workshop/site/pages/'))
  const forgotten = others.find((file) => /^docs\/(?!README)/.test(file))
  if (forgotten) throw new Error(`No index leads to ${forgotten}: name it in docs/README.md.`)
  // Its sections are pages.
  return [...others, 'docs/start.md']
}

/** What the search keeps of a part of a page: its heading, if it has one, is below that of the page. */
function sectionOf(page, text) {
  const [heading = page] = /^## (.*)/.exec(text)?.slice(1) ?? []
  return { anchor: slug(heading), titles: [...new Set([page, heading])], text }
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

/** On a phone, what a long line continues with is further in than its beginning. */
function indent(line) {
  const text = line.children.map(({ children: [{ value }] }) => value).join('')
  const [spaces] = /^ */.exec(text)
  if (spaces && text.length > 40) line.properties.style = `--indent:${spaces.length}ch`
}

/** A browser would break the name of a package at its hyphen. */
function keepName(span) {
  if (/^\s*'@[\w/-]+'$/.test(span.children[0]?.value)) this.addClassToHast(span, 'name')
}
