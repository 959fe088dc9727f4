import remarkGfm from 'remark-gfm'
import remarkParse from 'remark-parse'
import remarkRetext from 'remark-retext'
import retextEnglish from 'retext-english'
import retextReadability from 'retext-readability'
import { unified } from 'unified'

/** Hard for a reader of 16 years, by four of the seven formulas. These are the defaults of retext-readability. */
const processor = unified()
  .use(remarkParse)
  .use(remarkGfm)
  .use(
    remarkRetext,
    unified()
      .use(retextEnglish)
      .use(() => countProse)
      .use(retextReadability),
  )
  .use(function compiler() {
    this.compiler = () => ''
  })

/** Counts the prose of a Markdown text. Code blocks and tables have none. */
export async function measure(markdown) {
  const { data, messages } = await processor.process(markdown)
  return { ...data.prose, hard: messages.map(({ actual }) => actual.replaceAll(/\s+/g, ' ')) }
}

function countProse(tree, file) {
  const lengths = nodesOf(tree, 'SentenceNode').map(
    (sentence) => nodesOf(sentence, 'WordNode').length,
  )
  file.data.prose = {
    sentences: lengths.length,
    words: lengths.reduce((sum, length) => sum + length, 0),
    long: lengths.filter((length) => length > 25).length,
  }
}

function nodesOf(node, type) {
  if (node.type === type) return [node]
  return (node.children ?? []).flatMap((child) => nodesOf(child, type))
}
