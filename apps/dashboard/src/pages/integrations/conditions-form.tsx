import { useState } from 'react';
import type { Schemas } from '../../api/client';
import { Button } from '../../ui/button';
import { Form, Select, TextField } from '../../ui/field';
import type { Filter } from './data';
import styles from './integrations.module.css';

type Part = Schemas['FieldFilterPartDto'];

const OPERATORS: Record<Part['operator'], string> = {
  EQUAL: 'is',
  NOT_EQUAL: 'is not',
  LARGER: 'is larger than',
  LARGER_EQUAL: 'is at least',
  SMALLER: 'is smaller than',
  SMALLER_EQUAL: 'is at most',
  BETWEEN: 'is between',
  NOT_BETWEEN: 'is not between',
  IN: 'is one of',
  ANY_IN: 'has one of',
  ALL_IN: 'has all of',
  NOT_IN: 'is none of',
  LIKE: 'contains',
  NOT_LIKE: 'does not contain',
};

const NEW_PART: Part = { on: 'payload', field: '', operator: 'EQUAL', value: '' };

type ConditionsFormProps = {
  conditions: Filter[];
  isReadOnly: boolean;
  error: Error | null;
  isBusy: boolean;
  onSave(conditions: Filter[]): void;
};

/** Rows of one group. More groups, which only the API makes, are shown and kept. */
export function ConditionsForm({ conditions, isReadOnly, error, isBusy, onSave }: ConditionsFormProps) {
  const [first, ...others] = conditions;
  const [rows, setRows] = useState<Part[]>(first?.children ?? []);
  const [match, setMatch] = useState<'AND' | 'OR'>(first?.value ?? 'AND');
  const change = (at: number, part: Partial<Part>): void =>
    setRows(rows.map((row, index) => (index === at ? { ...row, ...part } : row)));
  if (isReadOnly) {
    return rows.length === 0 ? (
      <p>Without conditions: it is used by its place in the order.</p>
    ) : (
      <ul>
        {rows.map(({ on, field, operator, value }, index) => (
          <li key={index}>
            {on}.{field} {OPERATORS[operator]} {value}
          </li>
        ))}
      </ul>
    );
  }
  const save = (): void =>
    onSave([
      ...(rows.length > 0 ? [{ ...first, type: 'GROUP', value: match, children: rows } as Filter] : []),
      ...others,
    ]);
  return (
    <Form error={error} onSubmit={save}>
      <p>
        For triggers that match, this integration is chosen before the primary one. An integration with conditions is
        not primary.
      </p>
      {others.length > 0 && <p>{others.length} more groups were made through the API; they stay as they are.</p>}
      {rows.length > 1 && (
        <Select<'AND' | 'OR'>
          label="Match"
          value={match}
          options={[
            { value: 'AND', label: 'All of these' },
            { value: 'OR', label: 'Any of these' },
          ]}
          onChange={setMatch}
        />
      )}
      {rows.map((row, at) => (
        <fieldset key={at} className={styles['condition']}>
          <legend className="visually-hidden">Condition {at + 1}</legend>
          <Select
            label="Source"
            value={row.on}
            options={[
              { value: 'payload', label: 'Payload' },
              { value: 'subscriber', label: 'Subscriber' },
            ]}
            onChange={(on) => change(at, { on })}
          />
          <TextField label="Field" value={row.field} required onChange={(field) => change(at, { field })} />
          <Select
            label="Operator"
            value={row.operator}
            options={(Object.keys(OPERATORS) as Part['operator'][]).map((value) => ({
              value,
              label: OPERATORS[value],
            }))}
            onChange={(operator) => change(at, { operator })}
          />
          <TextField label="Value" value={row.value} onChange={(value) => change(at, { value })} />
          <Button aria-label={`Delete condition ${at + 1}`} onClick={() => setRows(rows.toSpliced(at, 1))}>
            Delete
          </Button>
        </fieldset>
      ))}
      <div className="row">
        <Button onClick={() => setRows([...rows, NEW_PART])}>Add condition</Button>
        <Button type="submit" kind="primary" isBusy={isBusy}>
          Save conditions
        </Button>
      </div>
    </Form>
  );
}
