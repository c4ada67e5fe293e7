import { createTestDatabase, type TestDatabase } from '@clarion/testing';
import { read } from './repository';

type SchemaPage = (query: (sql: string) => Promise<unknown[]>) => Promise<string>;
const { schemaPage } = jest.requireActual<{ schemaPage: SchemaPage }>('../../schema-page.cjs');

describe('docs/schema.md', () => {
  let test: TestDatabase;

  beforeAll(async () => {
    test = await createTestDatabase();
  });
  afterAll(() => test.drop());

  it('shows the tables, columns and references of the migrated database (npm run schema-diagram)', async () => {
    expect(read('docs/schema.md')).toBe(await schemaPage((sql) => test.database.query(sql)));
  });
});
