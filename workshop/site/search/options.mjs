// How the site's search reads pages and questions. VitePress writes these functions into the page, each alone.

/** A word without its ending, lowercase: `ordering` and `orders` find `order`. */
function stem(term) {
  const word = term.toLowerCase()
  if (word.length < 5) return word
  return word
    .replace(/(?:ing|ed|es|s)$/, '')
    .replace(/ie?$|y$/, 'i')
    .replace(/e$/, '')
}

/** Words, and each code such as `body_not_json` and each header such as `X-Hub-Signature-256` also whole. */
function wordsIn(text) {
  return [
    ...text.split(/[\n\r\p{Z}\p{P}]+/u),
    ...(text.match(/\b[a-z]+(?:_[a-z\d]+)+\b|\b[a-z\d]+(?:-[a-z\d]+){2,}\b/gi) ?? []),
  ]
}

/** The same, with what the documentation calls it. */
function asked(term) {
  /** By that, what people ask for. */
  const SAME = {
    'duplicat once': 'idempotent exactly',
    duplicat: 'once deduplication deduplicate dedupe',
    commonj: 'cjs',
    'remov retent': 'delete cleanup',
    'miss fetch': 'lost',
    'allowlist ip': 'whitelist',
    'handshak slack': 'challenge',
    'redriv toleranc': 'replay',
    'ntp futur': 'skew',
    'localhost tunnel machin': 'locally',
    'inbox stor': 'save',
    'deliverto test': 'mock',
    'dead letter': 'dlq',
    command: 'cli',
    'schem defineschem': 'provider custom',
    slow: 'quickly',
    tenant: 'multiple',
    'dead again': 'failed',
    migrat: 'move moving migration replace',
    'again redriv': 'reprocess',
    again: 'rerun',
    dashboard: 'grafana',
    'observ opentelemetri': 'datadog',
    'secret manag': 'kms',
    secret: 'whsec',
    assist: 'cursor copilot chatgpt claude',
    'proxi nginx': 'caddy traefik haproxy',
    'kubernet shutdown': 'k8s',
    shutdown: 'sigterm',
    'slow queu': 'background',
    queu: 'cron',
    mismatch: 'wrong',
    match: 'invalid',
    router: 'remix',
    stor: 'mysql mongodb',
    parser: 'bodyparser json',
    strip: 'constructevent invoice',
    next: 'nextjs router',
    node: 'nodejs',
    'deno worker': 'edge',
    rotat: 'rotation',
    'any unknown': 'catch',
    'inbox dead': 'letter',
    'sender sign': 'send sending',
    'sender app': 'outgoing',
    lambda: 'gateway',
    'person kept': 'gdpr',
  }
  const word = term.toLowerCase()
  const own = stem(word)
  // Words that every page has.
  if (
    /^(?:a|an|and|are|be|can|do|does|for|from|get|how|i|in|is|it|mean|means|my|no|not|of|on|or|the|to|use|using|webhooks?|what|when|why|with|you|your)$/.test(
      word,
    )
  )
    return null
  const same = Object.keys(SAME).filter((said) => SAME[said].split(' ').includes(word))
  // Twice, so that a page with the word itself is above one with another word for it.
  return same.length > 0 ? [own, own, ...same.join(' ').split(' ')] : [own]
}

/** A page that is named so counts most; a section of one service's page counts little, where the question does not name the service. */
function boost(id, term, { titles }) {
  const [page] = id
    .replace(/^\/[^/]+\//, '/')
    .toLowerCase()
    .split('#')
  const isTop = titles.length === 0
  const name = page.replace(/^.*\//, '').replace('.html', '')
  // The parts of the name, as words are in the index: `shopify` is there as `shopifi`.
  const parts = name.split('-').map(stem)
  // Who asks for a code wants its section. Little, because `body` is the beginning of a code: `weight` has the rest.
  if (term.includes('_')) return /^(?:errors|diagnosis-codes)$/.test(name) && !isTop ? 0.3 : 0.002
  if (/\/packages\//.test(page)) return parts.includes(term) ? (isTop ? 2 : 1) : 0.8
  // A status is explained there, and mentioned everywhere.
  if (/^[45]\d\d$/.test(term)) return name === 'errors' ? 6 : 0.8
  const isNamed = term.length > 2 && parts.some((part) => part.startsWith(term))
  // Not that of the default format, which is no service.
  if (/\/services\/(?!default\.)./.test(page)) {
    // Not by a word that other pages have in other senses.
    const isService =
      parts.includes(term) && !/^(?:app|cloud|event|googl|standard|stor|webhook)$/.test(term)
    return isService ? (isTop ? 16 : 4) : isTop ? 1.5 : 0.15
  }
  // Names and values of services that have no page.
  if (/other-services/.test(page)) return isTop ? 1 : 1.2
  if (/diagnosis/.test(page) && /^(?:match|mismatch|signatur|verif|work)/.test(term))
    return isTop ? 6 : 3
  if (/guides\/jwt/.test(page) && !isTop) return 0.8
  // What everybody begins with.
  if (/\/start\//.test(page)) return term === 'install' ? 6 : isNamed ? 5 : 0.8
  if (isNamed) return isTop ? 4 : 2
  if (/handling/.test(page)) return isTop ? 3 : 2.5
  if (/guides\/handlers/.test(page)) return 2.2
  if (/errors/.test(page)) return 1.4
  // What the other guides explain.
  if (/guides\/alerts/.test(page)) return 1.7
  return /guides\/|doctor|debugger/.test(page) ? 2 : /services\/default/.test(page) ? 1.9 : 0.8
}

/** What most pages have says little of what is asked for. */
function weight(term, _, terms) {
  if (term.includes('_')) return 250
  if (term.includes('-')) return 40
  // What is to be done says more than with what.
  if (term === 'migrat') return 7
  // What works on one machine and not there: the cause is asked for, not how to receive here.
  if (/^(?:localhost|tunnel|machin)$/.test(term) && terms.includes('production')) return 0.1
  if (/^(?:again|dead)$/.test(term)) return 0.5
  // The secrets of examples begin so: what is said of secrets is asked for.
  if (term === 'whsec') return 0.1
  return /^(?:app$|deliver|event|exampl|handl|receiv|request|servic|signatur|sign$|verif)/.test(
    term,
  )
    ? 0.3
    : 1
}

/** A function that calls `stem`, as it is written into the page. */
function withStem(call) {
  const source = `(() => { ${stem}\nreturn ${call} })()`
  return Object.assign(call, { toString: () => source })
}

export const miniSearch = {
  options: { tokenize: wordsIn, processTerm: stem },
  searchOptions: {
    processTerm: withStem(asked),
    fuzzy: (term) => (term.length > 7 && !term.includes('_') ? 0.1 : false),
    // A short word is a beginning only while it is typed, and `send` is none of `sendgrid`.
    prefix: (term, index, terms) =>
      term.length > 4 || (index === terms.length - 1 && term !== 'send'),
    // Or a title that is spelt alike, TypeORM, would be above a page with the word itself, Typeform.
    weights: { fuzzy: 0.1, prefix: 0.375 },
    boost: { title: 4, text: 2, titles: 1 },
    boostDocument: withStem(boost),
    boostTerm: weight,
  },
}
