/**
 * Phrases that a reader has to read twice, each with the words to use instead. They are matched in documents, comments,
 * messages and names of tests, over the ends of lines, whatever the letter case.
 */
const PHRASES: readonly (readonly [phrase: string, instead: string])[] = [
  ['told of', 'called for, or informed about'],
  ['what cannot be right', 'invalid'],
  ['an option that cannot be right', 'an invalid option'],
  ['options that cannot be right', 'invalid options'],
  ['take the request for forged', 'treat the request as forged'],
  ['takes? it for forged', 'treat it as forged'],
  ['the textbook', 'plain node:crypto'],
  ['is found out', 'is found'],
  ['are found out', 'are inferred'],
  ['schemas are said', 'pass the schemas as a type argument'],
  ['are said', 'are passed'],
  ['by which clock', 'which clock'],
  ['default: drawn', 'default: random'],
  ['mended', 'repaired'],
  ['stands by itself', 'is complete'],
  [
    'is a genuine delivery or is refused',
    'requests without a valid signature never reach your handler',
  ],
  ['when it says no', 'errors'],
  ['where the contract is silent', 'choices the contract leaves open'],
  ['where nothing is said', 'by default'],
  ['nothing else is said', 'by default'],
  ['anew', 'again'],
  ['signs? its retries anew', 'sends retries with the old signature'],
  ['obeys', 'interprets'],
  ['hands? on', 'passes on'],
  ['handed on', 'passed on'],
  ['dribbles?', 'is slow'],
  ['no business of', 'private'],
  ['and (?:its|their) like', 'and others'],
  ['comes? by', 'opens this URL'],
  ['came by', 'opened this URL'],
  ['gives? (?:it|its claim|the claim) back', 'releases'],
  ['the claim is given back', 'the claim is released'],
  ['stays as it was', 'does not change'],
  ['to be put right', 'to be corrected'],
  ['is told apart', 'is different'],
  ['more like it', 'more'],
  ['for want of', 'without'],
  ['to the letter', 'exactly'],
  ['no wiser', 'does not know more'],
  ['its own accord', 'itself'],
  ['that is no (?!longer|more)\\w+', 'that is not a …'],
  ['that are no (?!longer|more)\\w+', 'that are not …'],
  ['lest', 'so that … not'],
  ['whither', 'where'],
  ['whence', 'from where'],
  ['hence', 'so'],
  ['thence', 'from there'],
  ['thereof', 'of it'],
  ['therein', 'in it'],
  ['thereby', 'so'],
  ['whereby', 'with which'],
  ['wherein', 'in which'],
  ['whereupon', 'then'],
  ['hitherto', 'until now'],
  ['heretofore', 'until now'],
  ['henceforth', 'from now on'],
  ['forthwith', 'at once'],
  ['upon', 'on'],
  ['albeit', 'although'],
  ['aught', 'anything'],
  ['nought', 'nothing'],
  ['shall', 'must'],
  ['ere', 'before'],
  ['amiss', 'wrong'],
  ['betwixt', 'between'],
  ['\\w*answer\\w*', 'respond, response, status or result'],
]

/** One word for one thing, in what users read: the documents. */
const VOCABULARY: readonly (readonly [phrase: string, instead: string])[] = [
  ['refus(?:e|es|ed|ing|als?)|turn(?:s|ed)? away', 'reject'],
  ['genuine|authentic', 'valid signature, or verified delivery'],
  ['members?', 'property, header or field'],
  ['time-outs?', 'timeout'],
  ['run[ -]time', 'at runtime'],
  ['time stamps?', 'timestamp'],
  ['lower-case|upper-case', 'lowercase, uppercase'],
  ['told', 'informed, or logged'],
  ['sees to|of its own|is none that', 'installs, separate, is not one that'],
]

/** Names of functions, types and variables that are figures of speech, each with a name that says what it does. */
const IDENTIFIERS: readonly (readonly [name: string, instead: string])[] = [
  ['judgeHead', 'checkHeaders'],
  ['judgeAge', 'checkTimestamp'],
  ['Grounds', 'RejectionDetails'],
  ['Occasion', 'RequestInfo'],
  ['settleOptions', 'resolveOptions'],
  ['toItsEnd', 'runAndComplete'],
  ['asking', 'attempt'],
  ['inOrder', 'allMaybeAsync'],
  ['keptBody', 'findRawBody'],
  ['Surroundings', 'CommandContext'],
  ['describeRudeClients', 'describeMisbehavingClients'],
  ['IMPATIENT', 'SHORT_TIMEOUTS'],
  ['told', 'detail or calls'],
]

/**
 * Finds the phrases in a text and, in code, the names.
 *
 * @returns lines such as `12: "told of": write "called for"`
 */
export function findForbidden(
  text: string,
  { isCode, isDocument = false }: { readonly isCode: boolean; readonly isDocument?: boolean },
): string[] {
  const prose = text.replaceAll(/\n[ \t]*(?:\*(?!\/)|\/\/|#(?= )|>)?[ \t]*/g, (found) =>
    '\n'.padEnd(found.length),
  )
  const found = PHRASES.flatMap(([phrase, instead]) =>
    findAll(
      prose,
      new RegExp(`(?<![\\w-])${phrase.replaceAll(' ', '\\s+')}(?![\\w-])`, 'gi'),
      instead,
    ),
  )
  if (isDocument) {
    for (const [phrase, instead] of VOCABULARY) {
      const expression = new RegExp(`(?<![\\w-])(?:${phrase})(?![\\w-])`, 'gi')
      found.push(...findAll(withoutCode(prose), expression, instead))
    }
  }
  if (!isCode) return found
  const names = IDENTIFIERS.flatMap(([name, instead]) =>
    findAll(withoutProse(text), new RegExp(`(?<![\\w$])${name}(?![\\w$])`, 'g'), instead),
  )
  return [...found, ...names]
}

function findAll(text: string, expression: RegExp, instead: string): string[] {
  return [...text.matchAll(expression)].map(({ 0: match, index }) => {
    const line = text.slice(0, index).split('\n').length
    return `${line}: "${match.replaceAll(/\s+/g, ' ')}": write "${instead}"`
  })
}

/** Markdown without its blocks, inline code and addresses. */
function withoutCode(text: string): string {
  return text.replaceAll(/```.*?```|`[^`\n]*`|\]\([^)]*\)/gs, (found) =>
    found.replaceAll(/[^\n]/g, ' '),
  )
}

/** Code without its comments and plain strings. */
function withoutProse(text: string): string {
  return text.replaceAll(
    /\/\*.*?\*\/|\/\/[^\n]*|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"/gs,
    (found) => found.replaceAll(/[^\n]/g, ' '),
  )
}
