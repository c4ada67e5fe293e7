import { Config, SECRET_VARIABLES } from '@clarion/platform';
import { getMetadataStorage } from 'class-validator';
import { read } from './repository';

const variables = getMetadataStorage()
  .getTargetValidationMetadatas(Config, '', false, false)
  .map(({ propertyName }) => propertyName);

/** Rows of the tables: the variable, and its default where that is one literal value. */
const rows = [...read('docs/configuration.md').matchAll(/^\| `([A-Z_]+)` .*\| (?:`([^`]*)`)?[^|]*\|$/gm)].map(
  ([, name, value]) => ({ name: name!, value }),
);

describe('docs/configuration.md', () => {
  it('has exactly one row for each variable that Config reads', () => {
    expect(rows.map(({ name }) => name).sort()).toEqual([...new Set(variables)].sort());
  });

  it('lists every secret that can be given as a file', () => {
    const listed = new Set([...read('docs/configuration.md').matchAll(/`([A-Z_]+)_FILE`/g)].map(([, name]) => name!));
    expect([...listed].sort()).toEqual([...SECRET_VARIABLES].sort());
  });

  it('states the default of each variable that has one', () => {
    const defaults = Object.entries(new Config())
      .filter(([, value]) => typeof value !== 'object')
      .map(([name, value]) => ({ name, value: String(value) }));
    expect(defaults.length).toBeGreaterThan(15);
    expect(defaults.map(({ name }) => rows.find((row) => row.name === name))).toEqual(defaults);
  });
});
