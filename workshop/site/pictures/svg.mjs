export function xmlText(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

/** In the colours of the site, light or dark as the reader has it. */
export function picture({ width, height, title }, inside) {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">
<title>${xmlText(title)}</title>
<style>
${STYLE}
</style>
<defs><marker id="head" viewBox="0 0 8 8" refX="6" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path class="tip" d="M0 0l8 4-8 4z"/></marker></defs>
${inside}
</svg>
`
}

const STYLE = `svg { --text: #26262b; --quiet: #5b5b66; --line: #c4c4cc; --back: #f6f6f7; --green: #0a6b4a; --red: #b3261e; --ask: #e9f5ef }
@media (prefers-color-scheme: dark) { svg { --text: #e3e3e0; --quiet: #a8a8b0; --line: #50535c; --back: #202127; --green: #5cd6a5; --red: #ff8a80; --ask: #17352a } }
text { fill: var(--text); font: 14px system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; text-anchor: middle }
.head { font-weight: 650; font-size: 16px }
.note, .label { fill: var(--quiet); font-size: 13.5px }
.question { font-size: 14.5px }
.start { text-anchor: start }
.box { fill: var(--back); stroke: var(--line) }
.ask { fill: var(--ask); stroke: var(--green) }
.arrow { fill: none; stroke: var(--quiet); stroke-width: 1.5 }
.tip { fill: var(--quiet) }
.window { fill: var(--back); stroke: var(--line) }
.terminal text { font: 13px ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace; text-anchor: start; white-space: pre }
.good { fill: var(--green); font-weight: 600 }
.bad { fill: var(--red); font-weight: 600 }
.strong { font-weight: 700 }
.quiet { fill: var(--quiet) }`
