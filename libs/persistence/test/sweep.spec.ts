import { type EnvironmentId, newId } from '@clarion/contracts/core';
import {
  createTestDatabase,
  insertEnvironment,
  insertNotifications,
  insertSteps,
  insertWorkflow,
  type TestDatabase,
} from '@clarion/testing';
import { SMALLEST_SHARE, SweepRepository } from '../src';

describe('SweepRepository', () => {
  let test: TestDatabase;
  const many: EnvironmentId[] = [];
  let single: EnvironmentId;

  /** Four environments of one organization, and one of another. */
  beforeAll(async () => {
    test = await createTestDatabase();
    for (let number = 0; number < 4; number += 1) many.push(await insertEnvironment(test.database));
    single = await insertEnvironment(test.database);
    await test.database.query(
      `UPDATE environment SET name = id::text,
              organization_id = (SELECT organization_id FROM environment WHERE id = $1) WHERE id = ANY ($2)`,
      [many[0], many],
    );
  });
  afterAll(() => test.drop());
  beforeEach(() => test.database.query('DELETE FROM work'));

  async function backlog(environmentId: EnvironmentId, steps: number): Promise<void> {
    const { id: workflowId } = await insertWorkflow(test.database, { environmentId });
    const dueAt = new Date(Date.now() - 60_000);
    const made = await insertNotifications(
      test.database,
      Array.from({ length: steps }, () => ({ environmentId, workflowId, subscriberId: newId(), createdAt: dueAt })),
    );
    for (const notification of made) {
      await insertSteps(test.database, notification, [{ type: 'email', state: 'queued', dueAt }]);
    }
  }

  it('offers rows of organizations in turn, however many environments one has', async () => {
    for (const environmentId of [...many, single]) await backlog(environmentId, 12);
    const offered = await new SweepRepository(test.database).offerSteps(16, 10_000);
    const counts = [...many, single].map((id) => offered.filter(({ environmentId }) => environmentId === id).length);
    expect(counts).toEqual([2, 2, 2, 2, 8]);
  });

  it('offers no more rows of many environments than of the only one of an organization', async () => {
    for (const environmentId of many) await backlog(environmentId, SMALLEST_SHARE / 4 + 5);
    const offered = await new SweepRepository(test.database).offerSteps(10_000, 1);
    expect(offered).toHaveLength(SMALLEST_SHARE);
  });
});
