import type { ComponentChildren, RefObject } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'

interface Props {
  readonly count: number
  /** Of each row, in pixels. */
  readonly height: number
  readonly row: (index: number) => ComponentChildren
  readonly class: string
  /** The key of the row to scroll to, when it changes, and where that is. */
  readonly shown?: { readonly key: number; readonly index: number } | undefined
  /** The element that scrolls, for whoever has to move it. */
  readonly listRef?: RefObject<HTMLDivElement | null>
  readonly onScroll?: (top: number) => void
  /** Attributes of the element that scrolls. */
  readonly attributes?: Readonly<Record<string, unknown>>
}

const OVERSCAN = 12

/** A list of which only the part in view is in the document. */
export function VirtualList({
  count,
  height,
  row,
  shown,
  listRef,
  onScroll,
  attributes,
  ...rest
}: Props) {
  const own = useRef<HTMLDivElement>(null)
  const element = listRef ?? own
  const [view, setView] = useState({ top: 0, height: 600 })
  useEffect(() => {
    const list = element.current
    if (list === null) return
    const measure = () => {
      setView({ top: list.scrollTop, height: list.clientHeight })
      onScroll?.(list.scrollTop)
    }
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
