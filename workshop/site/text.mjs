// What a page says, wherever it is kept.
import { made } from './made.mjs'
import { read } from './sources.mjs'

/** The Markdown of a page in the list of pages, as it is read where nothing is chosen. */
export function textOf(file) {
  const page = made.find((each) => each.file === file)
  return page?.copied ?? page?.content ?? read(file)
}

/** Of the first paragraph that is prose. */
export function firstSentence(text) {
  return firstParagraph(text).replace(/(?<=[.!?]) .*$/, '')
}

/** What a search engine shows below the title: whole sentences of at most 160 characters, if there are any. */
export function summaryOf(text) {
  const paragraph = firstParagraph(text)
  const whole = /^.{40,158}?[.!?](?= |$)(?:.{1,100}[.!?](?= |$))?/.exec(paragraph)?.[0]
  if (whole && whole.length <= 160) return whole
  return paragraph.length <= 160 ? paragraph : paragraph.slice(0, 158).replace(/ \S*$/, ' …')
}

function firstParagraph(text) {
  const paragraphs = text.replaceAll(/^---\n.*?^---\n|^```.*?^```$/gms, '').split(/\n{2,}/)
  return (paragraphs.find((each) => /^[\w`*[]/.test(each)) ?? '')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/[`*]/g, '')
    .replace(/:$/, '.')
}
