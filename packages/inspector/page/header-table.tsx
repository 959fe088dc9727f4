import type { Header } from '@webhook-receiver/emulator/internal'

/** Headers in the order of the wire. */
export function HeaderTable({
  headers,
  own = [],
}: {
  readonly headers: readonly Header[]
  /** Those that verification reads, in lower case. */
  readonly own?: readonly string[]
}) {
  if (headers.length === 0) return null
  return (
    <table class="headers" aria-label="Headers">
      <tbody>
        {headers.map(([name, value]) => (
          <tr class={own.includes(name.toLowerCase()) ? 'own' : ''}>
            <th scope="row">{name}</th>
            <td class="wire">{value}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
