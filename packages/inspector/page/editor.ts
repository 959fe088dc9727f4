import {
  autocompletion,
  type CompletionContext,
  type CompletionResult,
  closeBrackets,
  completionKeymap,
} from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { json } from '@codemirror/lang-json'
import { HighlightStyle, syntaxHighlighting, syntaxTree } from '@codemirror/language'
import { EditorState } from '@codemirror/state'
import { drawSelection, EditorView, keymap, lineNumbers } from '@codemirror/view'
import { tags } from '@lezer/highlight'
import { type Schema, schemaAt, suggestions } from './schema.ts'

export interface Editor {
  text(): string
  setText(text: string): void
  destroy(): void
}

/** An editor for the body of a delivery. It completes members and values from the JSON Schema of the event. */
export function createEditor(parent: HTMLElement, text: string, event: () => string): Editor {
  const root = parent.shadowRoot ?? parent.attachShadow({ mode: 'open' })
  const view = new EditorView({
    parent: root,
    // The document takes style elements, which the policy of the page refuses; a shadow root takes style sheets.
    root,
    state: EditorState.create({
      doc: text,
      extensions: [
        lineNumbers(),
        history(),
        drawSelection(),
        closeBrackets(),
        json(),
        autocompletion({
          override: [(context) => complete(context, event())],
          // Whoever types fast gets what is offered.
          interactionDelay: 0,
        }),
        keymap.of([...completionKeymap, ...defaultKeymap, ...historyKeymap]),
        syntaxHighlighting(COLOURS),
        EditorView.lineWrapping,
        LOOKS,
        EditorView.contentAttributes.of({ 'aria-label': 'Body' }),
      ],
    }),
  })
  return {
    text: () => view.state.doc.toString(),
    setText(replacement) {
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: replacement } })
    },
    destroy: () => view.destroy(),
  }
}

const LOOKS = EditorView.theme({
  '&': { maxHeight: '46vh', fontSize: '12px', color: 'var(--text)' },
  '&.cm-focused': { outline: '2px solid var(--blue)' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.5' },
  '.cm-gutters': { background: 'var(--side)', color: 'var(--quiet)', borderColor: 'var(--line)' },
  '.cm-cursor': { borderColor: 'var(--text)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground':
    { background: 'var(--chosen)' },
  '.cm-tooltip': { background: 'var(--field)', borderColor: 'var(--line)', color: 'var(--text)' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]': {
    background: 'var(--chosen)',
    color: 'var(--text)',
  },
})

const COLOURS = HighlightStyle.define([
  { tag: tags.propertyName, color: 'var(--key)' },
  { tag: tags.string, color: 'var(--string)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--number)' },
])

function complete(context: CompletionContext, event: string): CompletionResult | null {
  const { state, pos } = context
  const node = syntaxTree(state).resolveInner(pos, -1)
  const path: string[] = []
  let inName = false
  for (let at: typeof node | null = node; at !== null; at = at.parent) {
    if (at.name === 'PropertyName') inName = true
    if (at.name === 'Property' && !(inName && path.length === 0)) {
      const name = at.getChild('PropertyName')
      if (name) path.unshift(unquoted(state.sliceDoc(name.from, name.to)))
    }
  }
  const before = state.sliceDoc(0, pos)
  const atValue = !inName && /:\s*"?[^",{}[\]]*$/.test(before)
  const word = context.matchBefore(/"?[\w.:-]*$/)
  if (word === null || (word.from === word.to && !context.explicit)) return null
  const schema: Schema | undefined = schemaAt(event, path)
  const options = suggestions(schema, atValue).map(({ text, detail, info }) => ({
    label: text,
    detail,
    info,
    apply: atValue ? text : `${text}: `,
  }))
  const quote = state.sliceDoc(pos, pos + 1) === '"' ? 1 : 0
  return options.length === 0
    ? null
    : { from: word.from, to: pos + quote, options, validFor: /^"?[\w.:-]*$/ }
}

function unquoted(text: string): string {
  return text.replace(/^"|"$/g, '')
}
