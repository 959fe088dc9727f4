import type { RefObject } from 'preact'
import { useEffect } from 'preact/hooks'
import { Button } from './controls.tsx'

const KEYS = {
  'j k': 'the next or previous delivery',
  Enter: 'into the delivery',
  Esc: 'close, and show all again',
  '/': 'search',
  n: 'new delivery',
  r: 'resend',
  '?': 'these keys',
}

/** Keys of the list, and by how many rows they go. */
const STEPS: Readonly<Record<string, number>> = {
  j: 1,
  ArrowDown: 1,
  k: -1,
  ArrowUp: -1,
  PageDown: 15,
  PageUp: -15,
  Home: Number.NEGATIVE_INFINITY,
  End: Number.POSITIVE_INFINITY,
}

interface Actions {
  close(): void
  /** Empties the search. */
  clear(): void
  /** Chooses another delivery, so many rows below. */
  move(by: number): void
  /** Opens the chosen delivery. */
  enter(): void
  compose(): void
  resend(): void
}

/** Does what the keys say, unless somebody types. */
export function useKeys(
  help: RefObject<HTMLDialogElement | null>,
  field: RefObject<HTMLInputElement | null>,
  actions: Actions,
): void {
  useEffect(() => {
    const onKey = (pressed: KeyboardEvent) => {
      const { target, key } = pressed
      const element = target instanceof HTMLElement ? target : document.body
      const typing = element.closest('input, textarea, select')
      if (key === 'Escape') {
        if (help.current?.open) return
        if (!(typing instanceof HTMLInputElement)) return actions.close()
        // The browser empties the field, and says nothing of it.
        if (typing === field.current) actions.clear()
        return typing.blur()
      }
      if (typing || pressed.ctrlKey || pressed.metaKey || pressed.altKey) return
      const step = STEPS[key]
      // In the pane, they scroll it.
      const isFree = key.length === 1 || !element.closest('.pane, nav, .toolbar')
      const others: Readonly<Record<string, () => void>> = {
        '/': () => field.current?.focus(),
        '?': () => help.current?.showModal(),
        n: actions.compose,
        r: actions.resend,
      }
      if (step !== undefined && isFree) {
        actions.move(step)
        document.querySelector<HTMLElement>('.rows')?.focus()
      } else if (key === 'Enter' && isFree && !element.closest('button, a, summary')) {
        actions.enter()
        document.querySelector<HTMLElement>('.pane')?.focus()
      } else if (others[key]) others[key]()
      else return
      pressed.preventDefault()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  })
}

export function Keys({ dialog }: { readonly dialog: RefObject<HTMLDialogElement | null> }) {
  return (
    <dialog ref={dialog} aria-labelledby="keys">
      <h2 id="keys">Keys</h2>
      <dl>
        {Object.entries(KEYS).map(([key, does]) => (
          <>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{does}</dd>
          </>
        ))}
      </dl>
      <Button onClick={() => dialog.current?.close()}>Close</Button>
    </dialog>
  )
}
