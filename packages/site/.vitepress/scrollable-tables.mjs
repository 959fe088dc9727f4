/** A wide table scrolls by itself, also from the keyboard, and the page does not. */
export function scrollableTables(md) {
  md.renderer.rules.table_open = () => '<div class="table" tabindex="0"><table>\n'
  md.renderer.rules.table_close = () => '</table></div>\n'
}
