import type { ButtonHTMLAttributes, ComponentChildren } from 'preact'

interface ButtonProps extends ButtonHTMLAttributes {
  readonly children: ComponentChildren
}

/** A button that submits no form. */
export function Button(props: ButtonProps) {
  return <button type="button" {...props} />
}

interface SelectProps {
  readonly label: string
  /** Without it this is a menu: the first option is its name, and stays. */
  readonly value?: string
  /** Values, each with its text where that is another one. */
  readonly options: readonly (string | readonly [value: string, text: string])[]
  readonly disabled?: boolean
  readonly onSelect: (value: string) => void
}

/** A choice. */
export function Select({ label, value = '', options, disabled = false, onSelect }: SelectProps) {
  return (
    <select
      aria-label={label}
      value={value}
      disabled={disabled}
      onChange={({ currentTarget }) => {
        onSelect(currentTarget.value)
        currentTarget.value = value
      }}
    >
      {options.map((option) => {
        const [key, text] = typeof option === 'string' ? [option, option] : option
        return <option value={key}>{text}</option>
      })}
    </select>
  )
}

/** The same with its label above it. */
export function Choice(props: SelectProps) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the control is a component.
    <label>
      {props.label}
      <Select {...props} />
    </label>
  )
}

interface NumberFieldProps {
  readonly label: string
  readonly value: string | number
  readonly min: number
  readonly max?: number
  readonly placeholder?: string
  readonly onInput: (text: string) => void
}

export function NumberField({ label, onInput, ...attributes }: NumberFieldProps) {
  return (
    <label>
      {label}
      <input
        type="number"
        step="any"
        {...attributes}
        onInput={({ currentTarget }) => onInput(currentTarget.value)}
      />
    </label>
  )
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
