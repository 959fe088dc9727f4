import { slug } from 'github-slugger'
import { read } from '../sources.mjs'
import { startPages } from '../start.mjs'
import { withWholeOptions } from './tables.mjs'

const services = read('workshop/site/pages/index.md').matchAll(/data-choose="([\w-]+)"/g)

/** The package managers, with what each writes to install something, and for development. */
const MANAGERS = {
  npm: ['npm install', 'npm install --save-dev'],
  pnpm: ['pnpm add', 'pnpm add -D'],
  yarn: ['yarn add', 'yarn add -D'],
  bun: ['bun add', 'bun add -d'],
}

/** What can be chosen, each with its values; the first one is the default. */
export const CHOICES = {
  framework: startPages.map(({ name }) => name),
  manager: Object.keys(MANAGERS),
  service: [...services].map(([, service]) => service),
}

/**
 * Parts of a page of which a reader sees one, and which one is remembered: frameworks and package managers. Without a script, and on
 * GitHub, all are visible.
 */
export function choices(md) {
  md.core.ruler.push('choices', alternatives)
  const highlighted = md.renderer.rules.fence
  const fence = (tokens, index, ...others) => {
    const html = highlighted(tokens, index, ...others)
    if (!/^(?:sh|shell|text)\b/.test(tokens[index].info)) return html
    return withWholeOptions(html).replaceAll(
      /@webhook-receiver\/[\w-]+/g,
      '<span class="name">$&</span>',
    )
  }
  md.renderer.rules.fence = (tokens, index, ...others) => {
    const { info, content } = tokens[index]
    const [, file] = / \[(\S+)\]/.exec(info) ?? []
    if (info !== 'sh' || !/^npm install /m.test(content)) {
      const name = file ? `<div class="file-name">${file}</div>` : ''
      return name + fence(tokens, index, ...others)
    }
    const parts = CHOICES.manager.map((manager) => {
      // Four of each: without colours they are small.
      const changed = { info: 'text', content: translated(content, manager) }
      const block = Object.assign(Object.create(tokens[index]), changed)
      return `<div data-value="${manager}">${fence([block], 0, ...others)}</div>`
    })
    return `${opening('manager', CHOICES.manager)}${parts.join('')}</div>`
  }
}

/** `<!-- choose: framework -->`, a part below each heading of level 3, and `<!-- end -->`. */
function alternatives(state) {
  const { Token, tokens } = state
  const html = (content) => Object.assign(new Token('html_block', '', 0), { content })
  let name
  let titles = []
  state.tokens = tokens.flatMap((token, index) => {
    const isComment = token.type === 'html_block'
    const [, begun] = (isComment && /^<!-- choose: (\w+) -->/.exec(token.content)) || []
    if (begun) {
      name = begun
      titles = titlesIn(tokens.slice(index))
      return html(opening(name, titles))
    }
    if (name && isComment && isEnd(token)) {
      name = undefined
      return html('</div></div>')
    }
    if (!name || !isHeading(token)) return token
    const title = tokens[index + 1].content
    // The bar names the parts, so these are no headings of the page.
    token.tag = tokens[index + 2].tag = 'div'
    token.attrJoin('class', 'choice-title')
    const end = title === titles[0] ? '' : '</div>'
    return [html(`${end}<div data-value="${shownFor(name, titles, title)}">`), token]
  })
}

function titlesIn(tokens) {
  const inside = tokens.slice(0, tokens.findIndex(isEnd))
  return inside.filter((_, at) => isHeading(inside[at - 1])).map(({ content }) => content)
}

/** For which choices the part is shown: its own, and the first part for those that are not offered. */
function shownFor(name, titles, title) {
  const offered = titles.map((each) => slug(each))
  const others = CHOICES[name].filter((value) => !offered.includes(value))
  return [slug(title), ...(title === titles[0] ? others : [])].join(' ')
}

/** With an attribute that Vue does not know as one of HTML, such as `role`, a page would be hydrated node by node. */
function opening(name, titles) {
  const buttons = titles.map((title) => {
    const shown = shownFor(name, titles, title)
    return `<button type="button" data-choose="${slug(title)}" data-value="${shown}">${title}</button>`
  })
  const bar = `<fieldset class="choice-bar" aria-label="${name}">${buttons.join('')}</fieldset>`
  return `<div class="choices vp-doc" data-name="${name}">${bar}`
}

function translated(commands, manager) {
  const [add, addForDevelopment] = MANAGERS[manager]
  return commands
    .replaceAll(/^npm install --save-dev/gm, addForDevelopment)
    .replaceAll(/^npm install/gm, add)
    .replaceAll('--install npm', `--install ${manager}`)
}

function isEnd({ type, content }) {
  return type === 'html_block' && content.startsWith('<!-- end -->')
}

function isHeading(token) {
  return token?.type === 'heading_open' && token.tag === 'h3'
}

/** Runs before the page is drawn: what was chosen, or what the address names. The style hides the rest. */
export const earlyScript = `for (const [name, values] of Object.entries(${JSON.stringify(CHOICES)})) {
  let chosen = location.hash.slice(1)
  if (!values.includes(chosen)) try { chosen = localStorage.getItem(name) } catch {}
  document.documentElement.dataset[name] = values.includes(chosen) ? chosen : values[0]
}`

/** Hides what was not chosen, and marks the button of what was. */
export function choiceStyle() {
  const chosen = Object.entries(CHOICES).flatMap(([name, values]) =>
    values.map((value) => [
      `html[data-${name}="${value}"] [data-name="${name}"]>`,
      `[data-value~="${value}"]`,
    ]),
  )
  const shown = chosen.map(([block, part]) => block + part)
  const marked = chosen.map(([block, button]) => `${block}.choice-bar>${button}`)
  const active = 'color:var(--vp-c-brand-1);background:var(--vp-c-bg)'
  return `html[data-framework] .choices>[data-value]{display:none}${shown}{display:block}${marked}{${active}}`
}
