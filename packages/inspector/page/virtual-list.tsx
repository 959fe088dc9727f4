import type { ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'

interface Props {
  readonly count: number
  /** Of each row, in pixels. */
  readonly height: number
  readonly row: (index: number) => ComponentChildren
  readonly class: string
  /** The key of the row to scroll to, when it changes, and where that is. */
  readonly shown?: { readonly key: number; readonly index: number } | undefined
  /** The key of the first row: what is in view stays there while rows come above it. */
  readonly head?: number | undefined
  /** Attributes of the element that scrolls. */
  readonly attributes?: Readonly<Record<string, unknown>>
}

const OVERSCAN = 12

/** A list of which only the part in view is in the document. */
export function VirtualList({ count, height, row, shown, head, attributes, ...rest }: Props) {
  const element = useRef<HTMLDivElement>(null)
  const [view, setView] = useState({ top: 0, height: 600 })
  const before = useRef({ count, head })

  useLayoutEffect(() => {
    const list = element.current
    if (list && head !== before.current.head && list.scrollTop > height) {
      list.scrollTop += (count - before.current.count) * height
    }
    before.current = { count, head }
  }, [count, head, height])

  useEffect(() => {
    const list = element.current
    if (list === null) return
    const measure = () => setView({ top: list.scrollTop, height: list.clientHeight })
    const observer = new ResizeObserver(measure)
    observer.observe(list)
    list.addEventListener('scroll', measure, { passive: true })
    measure()
    return () => {
      observer.disconnect()
      list.removeEventListener('scroll', measure)
    }
  }, [])

  useEffect(() => {
    const list = element.current
    if (list === null || shown === undefined) return
    const top = shown.index * height
    if (top < list.scrollTop) list.scrollTop = top
    else if (top + height > list.scrollTop + list.clientHeight) {
      list.scrollTop = top + height - list.clientHeight
    }
    // Not where its index changes, because others come above it: whoever has scrolled away stays there.
  }, [shown?.key, height])

  const from = Math.max(0, Math.floor(view.top / height) - OVERSCAN)
  const to = Math.min(count, Math.ceil((view.top + view.height) / height) + OVERSCAN)
  const visible = []
  for (let index = from; index < to; index++) visible.push(row(index))
  return (
    <div ref={element} {...rest} {...attributes}>
      <div role="presentation" style={{ height: `${count * height}px`, position: 'relative' }}>
        <div role="presentation" style={{ transform: `translateY(${from * height}px)` }}>
          {visible}
        </div>
      </div>
    </div>
  )
}
