import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { slug } from 'github-slugger'
import { CHOSEN } from '../reference/picker.mjs'
import { ROOT } from '../sources.mjs'
import { startPages } from '../start.mjs'

const { webhooks } = JSON.parse(readFileSync(join(ROOT, 'packages/contract/openapi.json'), 'utf8'))
const EVENTS = Object.keys(webhooks.delivery.post.requestBody.content['application/json'].examples)

/** The package managers, with what each writes for the words of npm. */
const MANAGERS = {
  npm: (line) => line,
  pnpm: (line) => translate(line, 'pnpm add', 'pnpm add -D'),
  yarn: (line) => translate(line, 'yarn add', 'yarn add -D'),
  bun: (line) => translate(line, 'bun add', 'bun add -d'),
}

/**
 * Parts of a page of which a reader sees one, and which one is remembered: frameworks and package managers. Without a script, and on
 * GitHub, all are visible.
 */
export function choices(md) {
  md.core.ruler.push('choices', (state) => {
    state.tokens = named(state, alternatives(state, installs(state, state.tokens)))
  })
}

/** `<!-- choose: framework -->`, a part below each heading of level 3, and `<!-- end -->`. */
function alternatives({ Token }, tokens) {
  const result = []
  let name
  let shown = {}
  let isOpen = false
  for (const [index, token] of tokens.entries()) {
    const begin = isHtml(token) && /^<!-- choose: (\w+) -->/.exec(token.content)
    if (begin) {
      name = begin[1]
      const end = tokens.findIndex((each, at) => at > index && isEnd(each))
      const titles = tokens
        .slice(index, end)
        .filter((_, at) => isHeading(tokens[index + at - 1]))
        .map(({ content }) => content)
      shown = shownFor(name, titles)
      result.push(html(Token, opening(name, titles, shown)))
    } else if (name && isEnd(token)) {
      result.push(html(Token, '</div></div>'))
      name = undefined
      isOpen = false
    } else {
      if (name && isHeading(token)) {
        const title = tokens[index + 1].content
        // The bar names the parts, so these are no headings of the page.
        token.tag = tokens[index + 2].tag = 'div'
        token.attrJoin('class', 'choice-title')
        result.push(html(Token, `${isOpen ? '</div>' : ''}<div data-value="${shown[title]}">`))
        isOpen = true
      }
      result.push(token)
    }
  }
  return result
}

/** A block that installs something, for each package manager. */
function installs({ Token }, tokens) {
  return tokens.flatMap((token) => {
    if (token.type !== 'fence' || token.info !== 'sh' || !/^npm install /m.test(token.content)) {
      return [token]
    }
    const values = Object.keys(MANAGERS)
    const shown = shownFor('manager', values)
    const blocks = values.flatMap((value) => {
      const fence = Object.assign(new Token('fence', 'code', 0), token, {
        // Four of each: without colours they are small.
        info: 'text',
        content: token.content.replaceAll(/.+/g, MANAGERS[value]),
      })
      return [html(Token, `<div data-value="${value}">`), fence, html(Token, '</div>')]
    })
    return [html(Token, opening('manager', values, shown)), ...blocks, html(Token, '</div>')]
  })
}

/** The name of a file, over its block. */
function named({ Token }, tokens) {
  return tokens.flatMap((token) => {
    const file = token.type === 'fence' && / \[(\S+)\]/.exec(token.info)?.[1]
    return file ? [html(Token, `<div class="file-name">${file}</div>`), token] : [token]
  })
}

/** For which choices the part of each title is shown: its own, and the first one for those that are not offered. */
function shownFor(name, titles) {
  const offered = titles.map((title) => slug(title))
  const others = CHOICES[name].filter((value) => !offered.includes(value))
  return Object.fromEntries(
    titles.map((title, index) => [
      title,
      [offered[index], ...(index === 0 ? others : [])].join(' '),
    ]),
  )
}

/** With an attribute that Vue does not know as one of HTML, such as `role`, a page would be hydrated node by node. */
function opening(name, titles, shown) {
  const buttons = titles.map(
    (title) =>
      `<button type="button" data-choose="${slug(title)}" data-value="${shown[title]}">${title}</button>`,
  )
  const bar = `<fieldset class="choice-bar" aria-label="${name}">${buttons.join('')}</fieldset>`
  return `<div class="choices vp-doc" data-name="${name}">${bar}`
}

function translate(line, add, addForDevelopment) {
  return line
    .replace(/^npm install --save-dev/, addForDevelopment)
    .replace(/^npm install/, add)
    .replace('--install npm', `--install ${add.split(' ')[0]}`)
}

function html(Token, content) {
  return Object.assign(new Token('html_block', '', 0), { content })
}

function isHtml(token) {
  return token.type === 'html_block'
}

function isEnd(token) {
  return isHtml(token) && token.content.startsWith('<!-- end -->')
}

function isHeading(token) {
  return token?.type === 'heading_open' && token.tag === 'h3'
}

/**
 * Runs before the page is drawn: what was chosen, or what the address names. The style hides the rest.
 *
 * @param {Record<string, readonly string[]>} values the first one is the default
 */
export function earlyScript(values) {
  return `for (const [name, values] of Object.entries(${JSON.stringify(values)})) {
  let chosen = location.hash.slice(1)
  if (!values.includes(chosen)) try { chosen = localStorage.getItem(name) } catch {}
  document.documentElement.dataset[name] = values.includes(chosen) ? chosen : values[0]
}`
}

/** Hides what was not chosen, and marks the button of what was. */
export function choiceStyle(values) {
  const chosen = Object.entries(values).flatMap(([name, all]) =>
    all.map((value) => [
      `html[data-${name}="${value}"] [data-name="${name}"]>`,
      `[data-value~="${value}"]`,
    ]),
  )
  const shown = chosen.map(([choices, part]) => choices + part)
  const marked = chosen.map(([choices, button]) => `${choices}.choice-bar>${button}`)
  const active = 'color:var(--choice-active);background:var(--choice-active-background)'
  return `html[data-framework] .choices>[data-value]{display:none}${shown}{display:block}${marked}{${active}}`
}

/** What can be chosen, each with its values; the first one is the default. */
export const CHOICES = {
  event: EVENTS.map((event) => slug(event)),
  framework: startPages.map(({ name }) => name),
  manager: Object.keys(MANAGERS),
  service: CHOSEN,
}
