/** Tables that can be used on a phone, from the keyboard and with a screen reader. */
export function tables(md) {
  // A wide table scrolls by itself, and the page does not.
  md.renderer.rules.table_open = () => '<div class="table" tabindex="0"><table>\n'
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
}
