import { slug } from 'github-slugger'
import { read } from '../../sources.mjs'

/** The services without a page of their own, with the section that has the code for each. */
export default {
  // Without `watch`, whose pattern would be looked for in all folders of the repository.
  load() {
    const [, ...sections] = read('docs/guides/other-services.md').split(/^## /m)
    const titles = sections.map((text) => text.slice(0, text.indexOf('\n')))
    return sections.flatMap((text, at) => {
      const title = titles[at]
      const rows = text.matchAll(
        /^\| (?!service |---)\[?(.+?)(?:\]\(\S+)? \|.*?(?:\(#(.+)\) \|)?$/gm,
      )
      return Array.from(rows, ([, name, anchor = slug(title)]) => ({
        name,
        title: titles.find((each) => slug(each) === anchor),
        anchor,
      }))
    })
  },
}
