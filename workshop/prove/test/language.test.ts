import { expect, test } from 'vitest'
import { files, read } from './documents.ts'

/** What a reader has to read twice, in documents, comments, messages and names of tests, over the ends of lines. */
const PHRASES = `told of|what cannot be right|options? that cannot be right|take the request for forged|takes? it for forged|the textbook
is found out|are found out|are said|by which clock|default: drawn|mended|stands by itself|is a genuine delivery or is refused|when it says no
where the contract is silent|where nothing is said|nothing else is said|anew|obeys|hands? on|handed on|dribbles?|no business of
and (?:its|their) like|comes? by|came by|gives? (?:it|its claim|the claim) back|the claim is given back|stays as it was|to be put right
is told apart|more like it|for want of|to the letter|no wiser|its own accord|that (?:is|are) no (?!longer|more)\\w+
lest|whither|whence|hence|thence|thereof|therein|thereby|whereby|wherein|whereupon|hitherto|heretofore|henceforth|forthwith|upon|albeit
aught|nought|shall|ere|amiss|betwixt|\\w*answer\\w*`

/** Other words for one thing, in documents: reject, valid signature, property, timeout, at runtime, timestamp, lowercase, informed. */
const VOCABULARY = `refus(?:e|es|ed|ing|als?)|turn(?:s|ed)? away|genuine|authentic|members?|time-outs?|run[ -]time|time stamps?
lower-case|upper-case|told|sees to|of its own|is none that`

const CODE_OF_DOCUMENTS = /```.*?```|`[^`\n]*`|\]\([^)]*\)/gs

const texts = files
  .filter((name) => /\.(?:md|ts|mts|cts|tsx|js|mjs|cjs|py|ya?ml)$/.test(name))
  .filter((name) => !/pnpm-lock\.yaml$|language\.test\.ts$/.test(name))

test('documents, comments and messages have none of the forbidden words', async () => {
  const found: string[] = []
  for (const name of texts) found.push(...forbiddenIn(name, await read(name)))
  expect(texts).toContain('packages/core/src/index.ts')
  expect(found).toEqual([])
})

function forbiddenIn(name: string, text: string): string[] {
  const prose = text.replaceAll(/\n[ \t]*(?:\*(?!\/)|\/\/|#(?= )|>)?[ \t]*/g, (found) =>
    '\n'.padEnd(found.length),
  )
  const found = [...prose.matchAll(words(PHRASES))]
  if (name.endsWith('.md')) {
    found.push(...blank(prose, CODE_OF_DOCUMENTS).matchAll(words(VOCABULARY)))
  }
  return found.map(({ 0: match, index }) => {
    const line = text.slice(0, index).split('\n').length
    return `${name}:${line}: ${match.replaceAll(/\s+/g, ' ')}`
  })
}

function words(list: string): RegExp {
  const phrases = list.replaceAll('\n', '|').replaceAll(' ', '\\s+')
  return new RegExp(`(?<![\\w-])(?:${phrases})(?![\\w-])`, 'gi')
}

function blank(text: string, parts: RegExp): string {
  return text.replaceAll(parts, (found) => found.replaceAll(/[^\n]/g, ' '))
}
