import { useEffect, useRef, useState } from 'preact/hooks'
import { Button } from './controls.tsx'

interface Item {
  readonly text: string
  /** A heading above this item. */
  readonly heading?: string
  readonly onSelect: () => void
}

/** A button that opens a list of actions. */
export function Menu({
  label,
  text,
  items,
}: {
  readonly label: string
  readonly text: string
  readonly items: readonly Item[]
}) {
  const [open, setOpen] = useState(false)
  const element = useRef<HTMLDivElement>(null)
  const buttons = () => [...(element.current?.querySelectorAll<HTMLElement>('button') ?? [])]
  const close = () => {
    setOpen(false)
    buttons()[0]?.focus()
  }
  useEffect(() => {
    if (!open) return
    buttons()[1]?.focus()
    const onDown = ({ target }: Event) => {
      if (target instanceof Node && !element.current?.contains(target)) setOpen(false)
    }
    document.addEventListener('pointerdown', onDown)
    return () => document.removeEventListener('pointerdown', onDown)
  }, [open])
  const onKeyDown = (event: KeyboardEvent) => {
    if (!open) return
    const [, ...choices] = buttons()
    const at = choices.findIndex((choice) => choice.matches(':focus'))
    const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[event.key]
    if (event.key === 'Tab') setOpen(false)
    if (event.key === 'Escape') close()
    else if (next === undefined) return
    else choices.at(next % choices.length)?.focus()
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <div class="menu" ref={element}>
      <Button
        aria-haspopup="menu"
        aria-expanded={open}
        aria-label={label}
        onClick={() => setOpen(!open)}
      >
        {text}
      </Button>
      {open && (
        <div role="menu" tabIndex={-1} aria-label={label} onKeyDown={onKeyDown}>
          {items.map(({ text, heading, onSelect }) => (
            <>
              {heading && <small role="presentation">{heading}</small>}
              <Button
                role="menuitem"
                tabIndex={-1}
                onClick={() => {
                  close()
                  onSelect()
                }}
              >
                {text}
              </Button>
            </>
          ))}
        </div>
      )}
    </div>
  )
}
