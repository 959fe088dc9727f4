/** Tables that can be used on a phone, from the keyboard and with a screen reader. */
export function tables(md) {
  // A wide table scrolls by itself, and the page does not.
  md.renderer.rules.table_open = (tokens, index) =>
    `<div class="table${tokens[index].meta?.isCards ? ' cards' : ''}" tabindex="0"><table>\n`
  md.renderer.rules.table_close = () => '</table></div>\n'
  // A header without text would be announced as the header of its column.
  md.core.ruler.push('empty_headers', ({ tokens }) => {
    for (const [index, { type, content }] of tokens.entries()) {
      const [open, close] = [tokens[index - 1], tokens[index + 1]]
      if (type === 'inline' && content === '' && open?.type === 'th_open') {
        open.tag = close.tag = 'td'
      }
    }
  })
  // On a phone, a row of three cells or more is a card, whose cells are named by their columns.
  md.core.ruler.push('cards', ({ tokens }) => {
    let names = []
    let column = 0
    let table
    for (const [index, token] of tokens.entries()) {
      const { type } = token
      if (type === 'table_open') table = token
      if (type === 'thead_open') names = []
      if (type === 'thead_close') table.meta = { isCards: names.length > 2 }
      if (type === 'tr_open') column = 0
      if (type === 'th_open') names.push(titleOf(tokens[index + 1]))
      if (type === 'td_open' && column++ > 0)
        tokens[index].attrSet('data-column', names[column - 1])
    }
  })
  // A long name in a cell continues on a new line, so that the columns behind it stay in sight.
  const render = md.renderer.rules.code_inline
  md.renderer.rules.code_inline = (...given) =>
    withWholeOptions(
      render(...given).replace(
        />([^<]+)</,
        (_, text) => `>${text.replaceAll(LONG_NAME, breakable)}<`,
      ),
    )
}

/** What a heading of a column says, without its link. */
function titleOf({ children }) {
  return children.map(({ content }) => content).join('')
}

/** A browser would begin a new line behind the hyphens of `--scheme`. */
export function withWholeOptions(html) {
  return html.replaceAll(/(?<=[\s>])--[a-z][\w-]*/g, '<span class="whole">$&</span>')
}

function breakable(name) {
  return name.replaceAll(BREAK, '$&<wbr>')
}

/** Shorter ones look better whole. */
const LONG_NAME = /[@\w./-]{15,}|[\w.]+\('[^']+/g

/** After an underscore, a slash, a dot or a parenthesis, and in front of a capital letter. */
const BREAK = /(?<=\w)[_/]|(?<=\w)[.(](?=['\w])|[a-z](?=[A-Z])/g
