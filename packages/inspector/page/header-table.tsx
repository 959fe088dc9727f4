import type { Header } from '../src/exchange.ts'

/** Headers in the order of the wire. */
export function HeaderTable({ headers }: { readonly headers: readonly Header[] }) {
  if (headers.length === 0) return null
  return (
    <table class="headers" aria-label="Headers">
      <tbody>
        {headers.map(([name, value]) => (
          <tr class={/^x-webhook-/i.test(name) ? 'own' : ''}>
            <th scope="row">{name}</th>
            <td>{value}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
