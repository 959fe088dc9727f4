/** What is counted of each kind, in this order. */
const KINDS = {
  links: 'links to pages, headings, pictures and files of the repository',
  console: 'pages looked at for errors in the console',
  requests: 'requests looked at for failures and for other hosts',
  width: 'pages compared with the width of the window',
  tabs: 'tabs pressed, to see their part and no other',
  accessibility: 'pages and opened menus checked by axe',
}

/** Counts what was checked and what was wrong, by kind, and prints each problem at once. */
export class Summary {
  #counts = new Map(Object.keys(KINDS).map((kind) => [kind, { checked: 0, problems: 0 }]))

  get problems() {
    return [...this.#counts.values()].reduce((sum, { problems }) => sum + problems, 0)
  }

  /** For a place: a function that takes the problems of a kind in it, which may be none. */
  at(place) {
    return (kind, problems, checked = 1) => {
      const count = this.#counts.get(kind)
      count.checked += checked
      count.problems += problems.length
      for (const problem of problems) console.error(`${kind}: ${place}: ${problem}`)
    }
  }

  /** One line for each kind. */
  lines() {
    return [...this.#counts].map(([kind, { checked, problems }]) => {
      const what = `${String(checked).padStart(6)} ${KINDS[kind]}`
      return `${problems === 0 ? 'ok    ' : 'FAILED'} ${kind.padEnd(13)} ${what}: ${problems} problems`
    })
  }
}
