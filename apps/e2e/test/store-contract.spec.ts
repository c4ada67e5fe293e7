import { createTestDatabase, type TestDatabase } from '@clarion/testing';
import { memoryStore, postgresStore } from './simulation/store-adapters';
import { keepsTheStoreContract } from './simulation/store-contract';

describe('the repositories on Postgres', () => {
  let test: TestDatabase;

  beforeAll(async () => {
    test = await createTestDatabase();
  });
  afterAll(() => test.drop());

  keepsTheStoreContract(() => postgresStore(test.database));
});

describe('the in-memory store of the simulation', () => {
  keepsTheStoreContract(async () => memoryStore());
});
