import { table, tick } from '@webhook-receiver/tools/table.mjs'
import { captionOf } from './machine.mjs'

/** Prints the tables of one section. */
export function printTables(tables) {
  for (const { title, head, rows, note } of tables) {
    console.log(
      `\n${title}\n\n${table(
        head,
        rows.map((row) => row.map(String)),
      )}`,
    )
    if (note) console.log(`\n${note}`)
  }
}

/** Prints each goal with its figure. */
export function printGoals(goals, machine) {
  if (goals.length > 0) {
    console.log(`\nGoals\n\n${table(['', ...GOALS_HEAD], goals.map(rowOf))}`)
    const met = goals.filter(({ outcome }) => outcome === 'met').length
    console.log(`\n${met} of ${goals.length} figures meet their goal.`)
  }
  console.log(captionOf(machine))
}

export const GOALS_HEAD = ['goal', 'where', 'limit', 'figure', 'quartiles', 'outcome']

/** A goal as the texts of its row. */
export function goalRow({ statement, where, limit, figure, spread, outcome }) {
  return [
    statement,
    where,
    limit,
    figure.toFixed(2),
    spread.map((end) => end.toFixed(2)).join('–'),
    outcome,
  ]
}

function rowOf(goal) {
  return [goal.outcome === 'too noisy' ? '?' : tick(goal.outcome === 'met'), ...goalRow(goal)]
}
