/** The values of each of these fields, in the order of the rows: the parameters of an `unnest`. */
export const columnArrays = <Row>(rows: readonly Row[], ...fields: (keyof Row)[]): unknown[][] =>
  fields.map((field) => rows.map((row) => row[field]));
