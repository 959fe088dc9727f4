import { slug } from 'github-slugger'
import { defineConfig } from 'vitepress'
import { writeTextForModels } from '../llms.mjs'
import { SECTIONS, sectionsOf } from '../sections.mjs'
import { BASE, DOCS, REPOSITORY } from '../sources.mjs'
import { linksAsOnGitHub } from './links-as-on-github.mjs'
import { tables } from './tables.mjs'

const sections = sectionsOf(DOCS)

export default defineConfig({
  title: 'webhook-receiver',
  description:
    'Receive signed webhooks on Express, Fastify, Hono, Koa, Node and web-standard Request.',
  lang: 'en',
  srcDir: DOCS,
  outDir: './dist',
  cacheDir: './node_modules/.vitepress',
  base: BASE,
  // GitHub shows a README where a folder is opened.
  rewrites: { ':folder/README.md': ':folder/index.md' },
  head: [['link', { rel: 'icon', href: `data:image/svg+xml,${encodeURIComponent(icon())}` }]],
  markdown: {
    anchor: { slugify: slug },
    // The default themes have tokens with a contrast below 4.5.
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    config: (md) => md.use(linksAsOnGitHub).use(tables),
  },
  themeConfig: {
    nav: SECTIONS.map(({ title, link, folder }) => ({
      text: title,
      link,
      activeMatch: `^/${folder}/`,
    })),
    sidebar: sections.map(({ title, pages }) => ({
      text: title,
      items: pages.map(({ title: text, link, pages: below = [] }) => ({
        text,
        link,
        ...(below.length > 0 && {
          collapsed: true,
          items: below.map((page) => ({ text: page.title, link: page.link })),
        }),
      })),
    })),
    outline: [2, 3],
    search: { provider: 'local' },
    externalLinkIcon: true,
    socialLinks: [{ icon: 'github', link: REPOSITORY, ariaLabel: 'GitHub' }],
    editLink: { pattern: `${REPOSITORY}/edit/main/docs/:path`, text: 'Edit this page on GitHub' },
  },
  vite: { plugins: [vueOfThisPackage()] },
  buildEnd: ({ outDir }) => writeTextForModels(outDir),
})

/** The pages are compiled to modules that import Vue, and no folder above docs has it installed. */
function vueOfThisPackage() {
  return {
    name: 'vue-of-this-package',
    enforce: 'pre',
    resolveId(source, importer, options) {
      if (!/^vue(\/|$)/.test(source) || !importer?.startsWith(DOCS)) return
      return this.resolve(source, import.meta.filename, { ...options, skipSelf: true })
    },
  }
}

/** An envelope with a check mark. */
function icon() {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect x="2" y="6" width="28" height="20" rx="3" fill="#0b5cad"/><path d="M9 16l5 5 9-10" fill="none" stroke="#fff" stroke-width="3"/></svg>`
}
