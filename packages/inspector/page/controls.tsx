import type { ButtonHTMLAttributes, ComponentChildren } from 'preact'
import { useRef, useState } from 'preact/hooks'

interface ButtonProps extends ButtonHTMLAttributes {
  readonly children: ComponentChildren
}

/** A button that submits no form. */
export function Button(props: ButtonProps) {
  return <button type="button" {...props} />
}

/** A choice with its label. */
export function Choice({
  label,
  value,
  options,
  onSelect,
}: {
  readonly label: string
  readonly value: string
  readonly options: readonly (readonly [value: string, text: string])[]
  readonly onSelect: (value: string) => void
}) {
  return (
    <label>
      {label}
      <select value={value} onChange={({ currentTarget }) => onSelect(currentTarget.value)}>
        {options.map(([key, text]) => (
          <option value={key}>{text}</option>
        ))}
      </select>
    </label>
  )
}

/** Buttons, of which one is pressed. */
export function Tabs<Name extends string>({
  names,
  shown,
  onShow,
  ...rest
}: {
  readonly class: string
  readonly names: readonly Name[]
  readonly shown: Name
  readonly onShow: (name: Name) => void
}) {
  return (
    <div {...rest}>
      {names.map((name) => (
        <Button aria-pressed={name === shown} onClick={() => onShow(name)}>
          {name}
        </Button>
      ))}
    </div>
  )
}

/** A button that opens a list of actions. */
export function Menu({
  text,
  disabled = false,
  items,
}: {
  readonly text: string
  readonly disabled?: boolean
  readonly items: readonly {
    readonly text: string
    /** A heading above this item. */
    readonly heading?: string
    readonly onSelect: () => void
  }[]
}) {
  const element = useRef<HTMLDetailsElement>(null)
  const close = () => {
    if (element.current) element.current.open = false
  }
  return (
    <details
      class="menu"
      ref={element}
      onFocusOut={({ relatedTarget, currentTarget }) => {
        if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget))) close()
      }}
      onKeyDown={(pressed) => {
        if (pressed.key !== 'Escape' || !element.current?.open) return
        pressed.stopPropagation()
        close()
        element.current.querySelector('summary')?.focus()
      }}
    >
      <summary>{text}</summary>
      <div tabIndex={-1}>
        {items.map(({ text, heading, onSelect }) => (
          <>
            {heading && <small>{heading}</small>}
            <Button
              disabled={disabled}
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
    </details>
  )
}

/** What copies a text, and what became of that. */
export function useCopy(): readonly [
  done: string,
  copy: (name: string, text: string) => Promise<void>,
] {
  const [done, setDone] = useState('')
  return [
    done,
    async (name, text) => {
      try {
        await navigator.clipboard.writeText(text)
        setDone(`Copied: ${name}`)
      } catch {
        setDone('The browser does not let the page copy')
      }
    },
  ]
}

/** What went wrong, if anything did. */
export function Problem({ text }: { readonly text: string | undefined }) {
  if (!text) return null
  return (
    <p class="problem" role="alert">
      {text}
    </p>
  )
}
